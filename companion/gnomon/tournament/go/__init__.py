"""Go: grades, handicap stones, files of OpenGotha, reports for the federations of Europe and America."""
