"""The GraphQL face: its types are made from the Structs of games and answers, its operations from
what REST declares."""
