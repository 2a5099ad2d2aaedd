#!/usr/bin/env bash
# Bids as low as it may and plays its lowest card. One line in, one line out.

# Sets $value to what $line has under a key: text without its quotes.
value() {
    [[ $line =~ \"$1\":\"?([^\",}]*) ]] && value=${BASH_REMATCH[1]}
}

# Sets $weight by the rank order of the table, then by suit. Jesters (F) are below,
# jokers (X) and wizards (W) above all others.
weigh() {
    local first=${1:0:1} second=${1:1:1} suits=CDHS
    case $first in
    F) weight=$second ;;
    X) weight=$((9000 + second)) ;;
    W) weight=$((9100 + second)) ;;
    *)
        local weaker=${ranks%%"$first"*} before=${suits%%"$second"*}
        weight=$((100 + 100 * ${#weaker} + ${#before}))
        ;;
    esac
}

# Sets $sorted to its arguments, lowest card first.
sort_cards() {
    local card
    sorted=()
    while read -r _ card; do
        sorted+=("$card")
    done < <(for card; do weigh "$card"; echo "$weight $card"; done | sort -n)
}

# Sets $choice to the lowest of its arguments.
lowest() {
    local card least=99999
    for card; do
        weigh "$card"
        ((weight < least)) && least=$weight choice=$card
    done
}

# Sets $choice to the suit among its arguments of which $hand has most cards.
longest() {
    local suit only most=-1
    for suit; do
        only=${hand//[^$suit ]/}
        only=${only// /}
        ((${#only} > most)) && most=${#only} choice=$suit
    done
}

while IFS= read -r line; do
    # Lines that tell something want no answer.
    [[ $line == *'"ask":'* ]] || continue
    value ask && ask=$value
    value id && id=$value
    value ranks && ranks=$value
    value hand && hand=$value
    value legal
    case $ask in
    bid) choice=${value%% *} ;;
    play) lowest $value ;;
    trump) longest $value ;;
    lay)
        sort_cards $value
        choice="${sorted[*]:0:3}"
        ;;
    esac
    # A joker that needs a call is called low unless "call" says otherwise.
    printf '{"id":"%s","%s":"%s"}\n' "$id" "$ask" "$choice"
done
