// Package bot lets a program play in the Oh Hell service: implement Bot, call Run.
//
//	type Cautious struct{}
//
//	func (Cautious) Bid(view *bot.View) int       { return view.LegalBids[0] }
//	func (Cautious) Play(view *bot.View) bot.Card { return view.LegalCards[0] }
//
//	func main() { bot.Run(func() bot.Bot { return Cautious{} }) }
//
// Run plays every table that the service has for the bot over one stream, connects again
// after an interruption, and logs to standard error. Settings come from flags and from
// OHHELL_BOT_* variables; README.md lists them.
package bot
