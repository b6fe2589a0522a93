"""The broker of a hall: a folder with its configuration, certificates and passwords, kept by the command line."""
