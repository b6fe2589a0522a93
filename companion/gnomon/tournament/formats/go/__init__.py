"""Go: files of OpenGotha, and reports for the federations of Europe and America."""
