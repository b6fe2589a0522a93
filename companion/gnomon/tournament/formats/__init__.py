"""File formats of other programs and federations: report files (TRF), tables (CSV), and files of Go."""
