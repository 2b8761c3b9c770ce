module railbird.example/play

go 1.19

require (
	golang.org/x/net v0.3.0
	golang.org/x/oauth2 v0.0.0
	golang.org/x/sys v0.5.0
	golang.org/x/text v0.7.0
)

replace (
	golang.org/x/net => /usr/share/gocode/src/golang.org/x/net
	golang.org/x/oauth2 => /usr/share/gocode/src/golang.org/x/oauth2
	golang.org/x/sys => /usr/share/gocode/src/golang.org/x/sys
	golang.org/x/text => /usr/share/gocode/src/golang.org/x/text
)
