"""The page: the matrix, or one result of the user's own, as one HTML file for people."""
