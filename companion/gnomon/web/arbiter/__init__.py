"""What an arbiter's page needs: corrections read from forms, what they would change, incidents, and who was first."""
