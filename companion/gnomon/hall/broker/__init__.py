"""The MQTT broker of a hall: a folder with configuration, certificates, passwords and access lists."""
