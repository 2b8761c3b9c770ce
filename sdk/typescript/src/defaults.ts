// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.

/** The defaults of commands, by game and type, and the names that lead to each: `*` stands for each
 * item of a list. */
export const DEFAULTS: Record<string, Record<string, [path: string[], value: unknown][]>> = {
  ascot: {"offer": [[["gives"], []], [["takes"], []], [["pays"], 0], [["asks"], 0]]},
  carcassonne: {},
  quitte_ou_double: {"place_token": [[["stake"], 0]]},
  ready_set_bet: {"place_bet": [[["bonus"], null]]},
  set_dice: {"call_set": [[["dice", "*", "wild_as"], null]], "place_dice": [[["dice", "*", "wild_as"], null]]},
};
