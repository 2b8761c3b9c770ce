package race

// What differs by game is JSON here: a game's slug tells which type of that game it has.
type (
	GameCommand      = any
	GameCommandInput = any
	GameEvent        = any
)
