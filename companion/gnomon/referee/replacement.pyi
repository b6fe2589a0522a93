from dataclasses import replace as replace
