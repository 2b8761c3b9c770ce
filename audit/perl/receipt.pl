#!/usr/bin/perl
# A third verifier, of receipts only, written from docs/audit.md. It needs Perl 5 with a 64-bit
# build and the command `openssl` 3, which Debian installs with the packages perl and openssl:
#
#   perl audit/perl/receipt.pl KEY FILE...
#
# KEY is name+id+base64, or a file of such keys. Exit codes: 0 verified, 1 diverged, 2 unreadable.

use strict;
use warnings;
use Digest::SHA qw(sha256 hmac_sha256);
use File::Temp qw(tempdir);
use MIME::Base64 qw(encode_base64 decode_base64);

my $LINE_MAX   = 2**24;
my $NUMBER_MAX = 2**53 - 1;
my %KIND = (started => 1, advanced => 2, finished => 3, voided => 4, opened => 6);

# A verdict other than success: the exit code, and a line.
sub diverged { die { code => 1, text => "$_[0]: expected $_[1], found $_[2]" } }
sub malformed { die { code => 0, text => $_[0] } }

# Runs `reading`; turns a malformed part into a divergence of this field.
sub judged {
    my ($field, $expected, $reading) = @_;
    my @found = eval { $reading->() };
    return wantarray ? @found : $found[0] unless $@;
    diverged($field, $expected, $@->{text}) if ref $@ && $@->{code} == 0;
    die $@;
}

# JSON. A value is [kind, value]; kinds are object, list, text, integer, boolean and null. The third
# element of an object maps its names to the text of their values.

my ($commas, $text);

sub parsed {
    my ($bytes) = @_;
    $text = $bytes;
    utf8::decode($text) or malformed("no UTF-8");
    malformed("no UTF-8") if $text =~ /[\x{D800}-\x{DFFF}]|[^\x{0}-\x{10FFFF}]/;
    ($commas, pos($text)) = (0, 0);
    my $value = value(0);
    $text =~ /\G[ \t\n\r]*/gc;
    malformed("more after the value") if pos($text) < length $text;
    return $value;
}

sub value {
    my ($depth) = @_;
    $text =~ /\G[ \t\n\r]*/gc;
    malformed("more than 64 levels") if $depth == 64 && $text =~ /\G[\[\{]/;
    return ['text', string()] if $text =~ /\G"/gc;
    return list_($depth + 1) if $text =~ /\G\[/gc;
    return object_($depth + 1) if $text =~ /\G\{/gc;
    return ['null', undef] if $text =~ /\Gnull(?![-+.\w])/gc;
    return ['boolean', $1 eq 'true'] if $text =~ /\G(true|false)(?![-+.\w])/gc;
    $text =~ /\G(-?(?:0|[1-9][0-9]{0,15}))(?![-+.\w])/gc or malformed("no plain value");
    malformed("a number beyond 2^53 - 1") if abs($1) > $NUMBER_MAX;
    return ['integer', $1 + 0];
}

sub next_item {
    return 0 unless $text =~ /\G[ \t\n\r]*,/gc;
    malformed("more than 2^18 commas") if ++$commas > 2**18;
    return 1;
}

sub list_ {
    my ($depth) = @_;
    my @found;
    return ['list', \@found] if $text =~ /\G[ \t\n\r]*\]/gc;
    do { push @found, value($depth) } while next_item();
    $text =~ /\G[ \t\n\r]*\]/gc or malformed("no end of a list");
    return ['list', \@found];
}

sub object_ {
    my ($depth) = @_;
    my (%found, %texts);
    return ['object', \%found, \%texts] if $text =~ /\G[ \t\n\r]*\}/gc;
    do {
        $text =~ /\G[ \t\n\r]*"/gc or malformed("no name");
        my $name = string();
        malformed("a name twice") if exists $found{$name};
        $text =~ /\G[ \t\n\r]*:[ \t\n\r]*/gc or malformed("no colon");
        my $start = pos $text;
        $found{$name} = value($depth);
        $texts{$name} = substr($text, $start, pos($text) - $start) if $depth == 1;
    } while next_item();
    $text =~ /\G[ \t\n\r]*\}/gc or malformed("no end of an object");
    return ['object', \%found, \%texts];
}

my %ESCAPED = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", map { $_ => $_ } '"', '\\', '/');

# Reads a text after its first quotation mark.
sub string {
    my $found = '';
    until ($text =~ /\G"/gc) {
        if ($text =~ /\G([^"\\\x00-\x1f]+)/gc) { $found .= $1 }
        elsif ($text =~ /\G\\(["\\\/bfnrt])/gc) { $found .= $ESCAPED{$1} }
        elsif ($text =~ /\G\\u([Dd][89AaBb][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/gc) {
            $found .= chr(0x10000 + ((hex($1) - 0xD800) << 10) + hex($2) - 0xDC00);
        }
        elsif ($text =~ /\G\\u((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})/gc) { $found .= chr hex $1 }
        else { malformed("no text") }
    }
    return $found;
}

# Forms. A form takes a value, or undef where the field is absent, and returns what it contains.

sub of_kind {
    my ($value, $kind, $name) = @_;
    malformed("$name is no $kind") unless defined $value && $value->[0] eq $kind;
    return $value->[1];
}

sub integer {
    my ($least, $most) = @_;
    return sub {
        my $found = of_kind($_[0], 'integer', $_[1]);
        malformed("$_[1] is out of bounds") if $found < $least || $found > $most;
        return $found;
    };
}

sub text_ {
    my ($pattern, $most) = @_;
    return sub {
        my $found = of_kind($_[0], 'text', $_[1]);
        malformed("$_[1] has another form") unless $found =~ $pattern;
        malformed("$_[1] is too long") if defined $most && length $found > $most;
        return $found;
    };
}

sub optional {
    my ($form, $otherwise) = @_;
    return sub { defined $_[0] ? $form->(@_) : $otherwise };
}

sub nullable {
    my ($form) = @_;
    return sub { defined $_[0] && $_[0][0] eq 'null' ? undef : $form->(@_) };
}

sub list_of {
    my ($form, $most) = @_;
    return sub {
        my ($value, $name) = @_;
        my $found = of_kind($value, 'list', $name);
        malformed("$name is too long") if defined $most && @$found > $most;
        return [map { $form->($_, $name) } @$found];
    };
}

sub row {
    my @forms = @_;
    return sub {
        my ($value, $name) = @_;
        my $found = of_kind($value, 'list', $name);
        malformed("$name has another number of columns") if @$found != @forms;
        return [map { $forms[$_]->($found->[$_], $name) } 0 .. $#forms];
    };
}

sub record {
    my %forms = @_;
    return sub {
        my ($value, $name) = @_;
        my $found = of_kind($value, 'object', $name);
        for (keys %$found) { malformed("$name has a field $_") unless exists $forms{$_} }
        return { map { $_ => $forms{$_}->($found->{$_}, "$name.$_") } keys %forms };
    };
}

sub base64 {
    my ($length) = @_;
    return sub {
        my $found = of_kind($_[0], 'text', $_[1]);
        my $isBase64 = length($found) % 4 == 0 && $found =~ m{\A[A-Za-z0-9+/]*={0,2}\z};
        malformed("$_[1] is no base64") unless $isBase64;
        my $bytes = decode_base64($found);
        malformed("$_[1] has another length") if defined $length && length $bytes != $length;
        return $bytes;
    };
}

my $HEX     = text_(qr/\A[0-9a-f]{64}\z/);
my $HASH    = base64(32);
my $ANY     = text_(qr/\A/);
my $COUNT   = integer(0, $NUMBER_MAX);
my $AMOUNT  = integer(-$NUMBER_MAX, $NUMBER_MAX);
my $VERSION = integer(1, 2**31 - 1);
my $PLACE   = integer(0, 2**15 - 1);
my $FORMAT  = optional(integer(1, 1), 1);
my $ANYTHING = sub { malformed("$_[1] is missing") unless defined $_[0]; $_[0] };
my $OBJECT  = sub { of_kind($_[0], 'object', $_[1]); $_[0] };
my $UUID_TEXT = text_(qr/\A(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\z/i);
my $UUID    = sub { my $found = lc $UUID_TEXT->(@_); $found =~ tr/-//d; pack 'H*', $found };
my $FLAG    = sub { of_kind($_[0], 'boolean', $_[1]) };
my $PATH    = list_of($HASH, 128);
my $PROOF   = record(index => $COUNT, path => $PATH);
my $BET     = row($COUNT, $COUNT, $ANY, $AMOUNT, $ANY);
my $TRANSFER = row($ANY, $ANY, integer(1, $NUMBER_MAX), $ANY);

my $RECEIPT = record(
    type   => text_(qr/\Areceipt\z/),
    format => $FORMAT,
    log    => record(
        checkpoint => text_(qr/\A/, 65_536),
        keys       => list_of(text_(qr/\A/, 400), 64),
        since      => optional(nullable(record(size => $COUNT, path => $PATH)), undef),
    ),
    game    => $UUID,
    genesis => base64(),
    (map { $_ => $PROOF } qw(opened started entry)),
    version  => $VERSION,
    bet      => $BET,
    previous => $HASH,
    how      => optional(nullable(text_(qr/\A(?:finished|voided)\z/)), undef),
    seed     => optional(nullable($HASH), undef),
    bodies   => optional(list_of(base64()), []),
    digests  => optional(list_of($HASH), []),
    outcomes => optional(list_of(row($VERSION, $ANY, $AMOUNT), 2), []),
);
my $GENESIS = record(
    format        => $FORMAT,
    name          => $UUID,
    (map { $_ => $HEX } qw(salt seed_hash)),
    game          => $UUID,
    rules         => text_(qr/\A./s, 40),
    rules_version => integer(0, 2**31 - 1),
    edition       => text_(qr/\A/, 64),
    options       => $OBJECT,
    abandoned     => nullable($HEX),
    seats         => integer(1, 2**15 - 1),
    reveals       => list_of(row($PLACE, $PLACE, $HEX, $HEX)),
    people        => list_of(nullable($HEX)),
    build         => record(
        version => text_(qr/\A/, 40),
        commit  => text_(qr/\A(?:[0-9a-f]{40})?\z/),
        rules   => $HEX,
    ),
);
my $BODY = record(
    version   => $COUNT,
    seat      => nullable($COUNT),
    command   => $ANYTHING,
    draws     => list_of(row($COUNT, integer(1, $NUMBER_MAX), $COUNT)),
    events    => list_of($OBJECT),
    transfers => list_of($TRANSFER),
);
my @EVENT = (type => $ANY, only => optional(list_of($COUNT), undef), bet => $COUNT);
my %EVENT = (
    bet_placed => record(@EVENT, seat => $COUNT, spot => $ANY, stake => $AMOUNT, odds => $ANY),
    bet_settled => record(
        @EVENT, seat => $COUNT, spot => $ANY,
        outcome => text_(qr/\A(?:won|lost)\z/),
        payout  => $AMOUNT,
    ),
    bet_voided => record(@EVENT, payout => $AMOUNT, reason => $ANY),
);

# The characters of a reason: those that show nothing but are allowed, and those that are not.
my $BLANK = '\x20\xa0\x{1680}\x{2000}-\x{200a}\x{200c}\x{200d}\x{202f}\x{205f}\x{3000}'
    . '\x{fe00}-\x{fe0f}';
my $HIDDEN = '\x00-\x1f\x7f-\x9f\xad\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180e}\x{200b}'
    . '\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{2800}\x{3164}\x{feff}\x{ffa0}'
    . '\x{fff9}-\x{fffb}';
my $REASON = text_(qr/\A(?=.{1,300}\z)[^$HIDDEN]*[^$HIDDEN$BLANK][^$HIDDEN]*\z/s);
my @COMMAND = (type => $ANY);
my %COMMAND = (
    started       => record(@COMMAND),
    ticked        => record(@COMMAND, alarm => $AMOUNT),
    paused        => record(@COMMAND, alarm => $AMOUNT, late_ms => $AMOUNT),
    seat_replaced => record(@COMMAND, seat => $AMOUNT, forfeits => $FLAG),
    seat_returned => record(@COMMAND, seat => $AMOUNT),
    voided        => record(@COMMAND, reason => $REASON, by => optional(nullable($UUID), undef)),
    voided_bet    => record(
        @COMMAND, (map { $_ => $AMOUNT } qw(bet seat stake)),
        payout => nullable($AMOUNT), reason => $REASON, by => $UUID,
    ),
    annotated => record(@COMMAND, reason => $REASON, by => $UUID),
);

# The log

sub leaf { sha256("\0" . $_[0]) }
sub hex_ { unpack 'H*', $_[0] }

# Decodes the base64 of a note or a key, whose unused bits are zero.
sub exact {
    my ($found) = @_;
    malformed("no base64") unless $found =~ m{\A[A-Za-z0-9+/=]*\z};
    my $bytes = decode_base64($found);
    malformed("no exact base64") unless encode_base64($bytes, '') eq $found;
    return $bytes;
}

my $NAME = qr/[!-*,-~]{1,200}/;

sub key_of {
    my ($line) = @_;
    $line =~ /\A($NAME)\+([0-9a-f]{8})\+(.*)\z/ or malformed("a key has the form name+id+base64");
    my ($name, $id, $key) = ($1, $2, exact($3));
    malformed("the key of $name is no Ed25519 key") unless $key =~ /\A\x01.{32}\z/s;
    malformed("the key of $name has another id")
        unless hex_(substr sha256("$name\n$key"), 0, 4) eq $id;
    return { name => $name, id => $id, point => substr $key, 1 };
}

my $folder = tempdir(CLEANUP => 1);
my %signed;

sub has_signed {
    my ($key, $message, $signature) = @_;
    return $signed{"$key->{point}$signature$message"} //= do {
        my %files = (
            key       => pack('H*', '302a300506032b6570032100') . $key->{point},
            message   => $message,
            signature => $signature,
        );
        for my $name (keys %files) {
            open my $file, '>:raw', "$folder/$name" or die { code => 2, text => "$folder: $!" };
            print {$file} $files{$name};
            close $file;
        }
        my @command = (qw(openssl pkeyutl -verify -pubin -rawin -keyform DER),
            -inkey => "$folder/key", -in => "$folder/message", -sigfile => "$folder/signature");
        my $process = open(my $output, '-|') // die { code => 2, text => "no process: $!" };
        if (!$process) { open STDERR, '>&', \*STDOUT; exec @command or exit 1 }
        my @ignored = <$output>;
        close $output;
        $? == 0 ? 1 : 0;
    };
}

# Returns the checkpoint of a note that one of the keys signed, and none signed wrongly.
sub checkpoint {
    my ($note, @keys) = @_;
    malformed("a control character") if $note =~ /[\x00-\x09\x0b-\x1f]/;
    $note =~ /\A(.*\n)\n(.+)\n\z/s or malformed("no text, empty line and signatures");
    my ($message, @lines) = ($1, split /\n/, $2, -1);
    malformed("more than 64 signatures") if @lines > 64;
    my ($origin, $size, $root, @more) = split /\n/, $message =~ s/\n\z//r, -1;
    my (%signers, @found);
    for (@lines) {
        /\A\x{2014} ($NAME) (.*)\z/ or malformed("no signature");
        my ($name, $bytes) = ($1, exact($2));
        malformed("no signature") if length $bytes <= 4;
        push @found, [$name, hex_(substr $bytes, 0, 4), substr $bytes, 4];
    }
    utf8::encode($message);
    for my $each (@found) {
        my ($name, $id, $signature) = @$each;
        for my $key (grep { $_->{name} eq $name && $_->{id} eq $id } @keys) {
            diverged("log: signature", "one that fits", "$name+$id")
                unless has_signed($key, $message, $signature);
            $signers{$name} = 1;
        }
    }
    diverged("log: signature", "one by a trusted key", "others") unless %signers;
    malformed("a checkpoint has three lines or more, none of them empty")
        if !defined $root || grep { $_ eq '' } $origin, $size, $root, @more;
    malformed("no size") unless $size =~ /\A(?:0|[1-9][0-9]{0,15})\z/ && $size <= $NUMBER_MAX;
    my $hash = exact($root);
    malformed("no root") if length $hash != 32;
    diverged("log: origin", join(' or ', sort keys %signers), $origin) unless $signers{$origin};
    return { origin => $origin, size => $size + 0, root => $hash };
}

sub entry {
    my ($kind, $name, $version, $hash, $payload) = @_;
    return pack('C', $KIND{$kind}) . $name . pack('Q>', $version) . $hash . ($payload // '');
}

sub check_included {
    my ($entry, $proof, $log, $field, $after) = @_;
    my ($hash, $place, $last) = (leaf($entry), $proof->{index}, $log->{size} - 1);
    my $fits = $place <= $last;
    for my $neighbour (@{ $proof->{path} }) {
        $fits = 0 if $last <= 0;
        if ($place & 1 || $place == $last) {
            $hash = sha256("\x01$neighbour$hash");
            while ($place && !($place & 1)) { $place >>= 1; $last >>= 1 }
        }
        else { $hash = sha256("\x01$hash$neighbour") }
        $place >>= 1;
        $last >>= 1;
    }
    diverged($field, "an entry under the root " . hex_($log->{root}), hex_($hash))
        unless $fits && $last == 0 && $hash eq $log->{root};
    diverged($field, "an entry after entry $after", $proof->{index})
        if defined $after && $proof->{index} <= $after;
}

# The receipt

sub framed { join '', map { pack('N', length) . $_ } @_ }

sub bytes_of { my ($found) = @_; utf8::encode($found); $found }

sub opening {
    my ($receipt, $log) = @_;
    my ($genesis, $options) = judged("version 0: genesis", "the genesis of a game", sub {
        my $found = parsed($receipt->{genesis});
        my $read = $GENESIS->($found, 'genesis');
        my ($seat, $place) = (-1, -1);
        for (@{ $read->{reveals} }) {
            malformed("reveals in another order")
                if $_->[0] <= $seat || $_->[1] <= $place || $_->[0] >= $read->{seats};
            ($seat, $place) = @$_;
        }
        malformed("people of other seats") if @{ $read->{people} } != $read->{seats};
        return ($read, bytes_of($found->[2]{options}));
    });
    my @terms = (pack('H*', $genesis->{salt}), $genesis->{game}, bytes_of($genesis->{rules}),
        pack('N', $genesis->{rules_version}), bytes_of($genesis->{edition}), $options,
        pack('H*', $genesis->{seed_hash}));
    my $payload = pack 'H*', $genesis->{seed_hash} . ($genesis->{abandoned} // '00' x 32);
    my $terms   = sha256("terms\0" . framed(@terms));
    my $opened  = entry('opened', $genesis->{name}, 0, $terms, $payload);
    check_included($opened, $receipt->{opened}, $log, "version 0: opened");
    my $leaf = leaf($opened);
    my $entropies = '';
    for (@{ $genesis->{reveals} }) {
        my (undef, $place, $committed, $hex) = @$_;
        my $entropy = pack 'H*', $hex;
        my $again = hex_(sha256("entropy\0$leaf" . pack('n', $place) . $entropy));
        diverged("version 0: commitment", $again, $committed) if $again ne $committed;
        $entropies .= $entropy;
    }
    my $hash = sha256("game\0" . $receipt->{genesis});
    check_included(entry('started', $genesis->{name}, 0, $hash), $receipt->{started}, $log,
        "version 0: genesis", $receipt->{opened}{index});
    diverged("version 0: game", hex_($genesis->{game}), hex_($receipt->{game}))
        if $genesis->{game} ne $receipt->{game};
    return { %$genesis, hash => $hash, of_key => "key$leaf$entropies" };
}

sub verify_receipt {
    my ($receipt, @keys) = @_;
    my $log = judged("log: checkpoint", "a signed checkpoint",
        sub { checkpoint($receipt->{log}{checkpoint}, @keys) });
    my $game = opening($receipt, $log);
    my ($first, $previous) = @$receipt{qw(version previous)};
    my ($how, $seed, $bodies, $digests) = @$receipt{qw(how seed bodies digests)};
    my $is_over = defined $how && defined $seed && @$bodies && !@$digests;
    my $is_running = !defined $how && !defined $seed && !@$bodies && @$digests
        && !@{ $receipt->{outcomes} };
    diverged("version $first: receipt", "how, seed and bodies, or digests alone", "others")
        unless $is_over || $is_running;
    diverged("version 0: previous", hex_($game->{hash}), hex_($previous))
        if $first == 1 && $previous ne $game->{hash};
    my ($version, $hash) = ($first - 1, $previous);
    my $history = $is_over ? begun($receipt, $game) : undef;
    for ($is_over ? @$bodies : @$digests) {
        $version++;
        my $digest = $is_over ? sha256($_) : $_;
        $hash = sha256("commit\0" . $hash . pack('Q>', $version) . $digest);
        take($history, $_, $version) if $is_over;
    }
    check_end($history, $version) if $is_over;
    my $entry = $is_over
        ? entry($how, $game->{name}, $version, $hash, $seed)
        : entry('advanced', $game->{name}, $version, $hash);
    check_included($entry, $receipt->{entry}, $log, "version $version: hash",
        $receipt->{started}{index});
    return "commit $first with the hash "
        . hex_(sha256("commit\0" . $previous . pack('Q>', $first)
            . ($is_over ? sha256($bodies->[0]) : $digests->[0])))
        . " is in the log $log->{origin}, " . ($is_over ? "the bet has an outcome" : "running");
}

# The commits from the bet on.

sub begun {
    my ($receipt, $game) = @_;
    my $found = hex_(sha256($receipt->{seed}));
    diverged("version 0: seed", $game->{seed_hash}, $found) if $found ne $game->{seed_hash};
    my $key = hmac_sha256($game->{of_key}, $receipt->{seed});
    return { %$receipt, key => $key, seats => $game->{seats}, found => [], last => '' };
}

sub take {
    my ($it, $stored, $version) = @_;
    my $where = "version $version";
    my $blind = hmac_sha256('blind' . pack('Q>', $version), $it->{key});
    diverged("$where: blind", hex_($blind), hex_(substr $stored, 0, 32))
        unless length $stored >= 32 && substr($stored, 0, 32) eq $blind;
    my $body = judged("$where: body", "a commit",
        sub { $BODY->(parsed(substr $stored, 32), 'body') });
    diverged("$where: body.version", $version, $body->{version}) if $body->{version} != $version;
    for (@{ $body->{draws} }) {
        my ($number, $bound, $value) = @$_;
        diverged("$where: draws", "draw $it->{next}", $number)
            if defined $it->{next} && $it->{next} != $number;
        my $again = drawn($it->{key}, $number, $bound);
        diverged("$where: draws", $again, $value) if $again != $value;
        $it->{next} = $number + 1;
    }
    diverged("$where: seat", "one of $it->{seats}", $body->{seat})
        if defined $body->{seat} && $body->{seat} >= $it->{seats};
    my $command = command($it, $body, $version);
    bets($it, $body, $command, $version);
}

sub drawn {
    my ($key, $number, $bound) = @_;
    my $rest = (~0 % $bound + 1) % $bound;    # 2^64 mod bound
    for (my $attempt = 0; ; $attempt++) {
        my $mac = hmac_sha256('draw' . pack('Q>N', $number, $attempt), $key);
        my $word = unpack 'Q>', $mac;
        return $word % $bound if $word <= ~0 - $rest;
    }
}

sub command {
    my ($it, $body, $version) = @_;
    my $where = "version $version: command";
    diverged($where, "nothing after the game was voided", "a commit") if $it->{last} eq 'voided';
    my $command = { type => '' };
    if (!defined $body->{seat}) {
        $command = judged($where, "a command of the server", sub {
            my $type = of_kind(of_kind($body->{command}, 'object', 'command')->{type}, 'text', 'type');
            malformed("another command") unless $COMMAND{$type};
            return $COMMAND{$type}->($body->{command}, $type);
        });
    }
    diverged($where, "the deal in version 1 alone", $command->{type})
        if ($command->{type} eq 'started') != ($version == 1);
    diverged($where, "one of $it->{seats} seats", $command->{seat})
        if $command->{type} =~ /\A(?:seat_|voided_bet)/ && ($command->{seat} < 0 || $command->{seat} >= $it->{seats});
    $it->{last} = $command->{type};
    return $command;
}

sub bets {
    my ($it, $body, $command, $version) = @_;
    my ($number, $seat, $spot, $stake, $odds) = @{ $it->{bet} };
    my (@placed, @outcomes);
    for my $value (@{ $body->{events} }) {
        my $event = judged("version $version: events", "events", sub {
            my $type = of_kind($value->[1]{type}, 'text', 'type');
            return $EVENT{$type} ? $EVENT{$type}->($value, $type) : undef;
        });
        next if !$event || defined $event->{only} || $event->{bet} != $number;
        if ($event->{type} eq 'bet_placed') { push @placed, [@$event{qw(bet seat spot stake odds)}] }
        else { push @outcomes, [$version, $event->{outcome} // 'void', $event->{payout}] }
    }
    my @expected = $version == $it->{version} ? ($it->{bet}) : ();
    diverged("version $version: bet", shown(@expected), shown(@placed))
        if shown(@placed) ne shown(@expected);
    my $voids = voids($it, $command, $version);
    my @received = grep { $_->[0] == $version } @{ $it->{outcomes} };
    diverged("version $version: outcomes", shown(@outcomes), shown(@received))
        if shown(@outcomes) ne shown(@received);
    diverged("version $version: outcomes", "one settlement, and a correction if there is one", "more")
        if @outcomes > 1 || (@outcomes && @{ $it->{found} } && !$voids);
    push @{ $it->{found} }, @outcomes;
}

# Whether the operator voids the bet here; the command must match earlier events.
sub voids {
    my ($it, $command, $version) = @_;
    my ($number, $seat, undef, $stake) = @{ $it->{bet} };
    return 0 unless $command->{type} eq 'voided_bet' && $command->{bet} == $number;
    my $before = $it->{found}[-1];
    my $paid = $before ? $before->[2] : 'open';
    my $fits = $command->{seat} == $seat && $command->{stake} == $stake
        && ($command->{payout} // 'open') eq $paid && !($before && $before->[1] eq 'void');
    diverged("version $version: command", "the bet as in the log", "another") unless $fits;
    return 1;
}

sub shown { join ' ', map { '[' . join(',', map { s/([\\,\[\] ])/\\$1/gr } @$_) . ']' } @_ }

sub check_end {
    my ($it, $version) = @_;
    diverged("version $version: outcomes", shown(@{ $it->{found} }), shown(@{ $it->{outcomes} }))
        if shown(@{ $it->{found} }) ne shown(@{ $it->{outcomes} });
    my $how = $it->{last} eq 'voided' ? 'voided' : 'finished';
    diverged("version $version: end", $how, $it->{how}) if $it->{how} ne $how;
    diverged("version $version: outcomes", "the outcome of the bet", "a bet that is still open")
        unless @{ $it->{found} };
}

# The command

sub content {
    my ($name) = @_;
    open my $file, '<:raw', $name or die { code => 2, text => "cannot be read: $!" };
    read $file, my $found, 2 * $LINE_MAX;
    return $found // '';
}

sub verify_file {
    my ($name, @keys) = @_;
    my ($line, $rest) = content($name) =~ /\A([^\n]*)\n?(.*)\z/s;
    my $receipt = eval {
        malformed("a longer line") if length $line > $LINE_MAX;
        $RECEIPT->(parsed($line), 'receipt');
    } // die { code => 2, text => ref $@ ? "cannot be read: no receipt: $@->{text}" : $@ };
    my $summary = verify_receipt($receipt, @keys);
    diverged("file: line 2", "the end of the file", "more") if length $rest;
    return $summary;
}

sub said {
    my ($line) = @_;
    utf8::encode($line) if utf8::is_utf8($line);
    $line =~ s/[^\x20-\x7e]/?/g;
    print "$line\n";
}

sub main {
    my ($key, @names) = @_;
    if (!@names) { said("usage: receipt.pl KEY FILE..."); return 2 }
    my @keys = eval {
        map { key_of($_) } split ' ', -f $key ? content($key) : $key;
    };
    if ($@ || !@keys) { said("$key: " . ($@ ? $@->{text} : "no key")); return 2 }
    my $highest = 0;
    for my $name (@names) {
        my $summary = eval { verify_file($name, @keys) };
        my ($code, $line) = (0, "verified: " . ($summary // ''));
        if (my $error = $@) {
            die $error unless ref $error;
            ($code, $line) = ($error->{code}, $error->{text});
        }
        said("$name: $line");
        $highest = $code if $code > $highest;
    }
    return $highest;
}

exit main(@ARGV);
