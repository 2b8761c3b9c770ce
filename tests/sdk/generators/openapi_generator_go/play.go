// A race with a Go client of openapi-generator: go run . URL
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"railbird.example/play/race"
)

func must[T any](value T, answer *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func newID() string {
	id := make([]byte, 16)
	rand.Read(id)
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// bet returns the first legal bet, or nil.
func bet(commands []any) any {
	for _, command := range commands {
		if command.(map[string]any)["type"] == "place_bet" {
			return command
		}
	}
	return nil
}

func main() {
	settings := race.NewConfiguration()
	settings.Servers = race.ServerConfigurations{{URL: os.Args[1]}}
	client, ctx := race.NewAPIClient(settings), context.Background()
	guest := must(client.AuthAPI.CreateGuest(ctx).NewGuest(race.NewGuest{}).Execute())
	ctx = context.WithValue(ctx, race.ContextAccessToken, guest.Token)

	options := race.ReadySetBetReadySetBetOptionsInput{}
	options.SetRaces(1)
	options.SetRollMs(50)
	options.SetPauseMs(0)
	body := race.LobbyRequest{Slug: "ready_set_bet"}
	body.SetOptions(race.GameOptionsInput{ReadySetBetReadySetBetOptionsInput: &options})
	lobby := must(client.LobbiesAPI.CreateLobby(ctx).LobbyRequest(body).Execute()).Id
	must(client.LobbiesAPI.AddBot(ctx, lobby).Execute())
	game := must(client.LobbiesAPI.StartGame(ctx, lobby).Execute()).Id

	accepted := 0
	for ended := ""; ended == ""; time.Sleep(100 * time.Millisecond) {
		legal := must(client.GamesAPI.ListLegalCommands(ctx, game).Execute())
		if command := bet(legal.Commands); command != nil {
			sent := race.NewCommand{Id: newID(), Command: command}
			_, answer, err := client.GamesAPI.Play(ctx, game).NewCommand(sent).Execute()
			if err == nil {
				accepted++
			} else if answer == nil || answer.StatusCode != 409 {
				panic(err)
			}
		}
		ended = string(must(client.GamesAPI.GetGame(ctx, game).Execute()).Ended)
	}

	view := must(client.GamesAPI.GetView(ctx, game).Execute())
	commits := must(client.GamesAPI.ListCommits(ctx, game).Execute()).Commits
	bundle, answer, err := client.AuditAPI.GetBundle(ctx, game).Execute()
	for err != nil && answer != nil && answer.StatusCode == 503 {
		time.Sleep(200 * time.Millisecond) // the log seals the end of a game within seconds
		bundle, answer, err = client.AuditAPI.GetBundle(ctx, game).Execute()
	}
	text, err := io.ReadAll(must(bundle, answer, err))
	lines := strings.Count(must(string(text), nil, err), "\n")
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"accepted": accepted, "version": view.Version, "commits": len(commits), "lines": lines,
	})
}
