package bot

import (
	"context"

	"google.golang.org/grpc"

	ohhellv1 "ohhell.dev/ohhell/v1"
)

// line is one call between a bot and the service, whoever made it.
type line interface {
	// read gives the frames of the next message; io.EOF where the other end is done.
	read() ([]*ohhellv1.ServerFrame, error)
	// write sends one message. Only one goroutine writes.
	write(frames []*ohhellv1.ClientFrame) error
	// finish has said everything; the goroutine that writes says so.
	finish() error
	// cancel ends the call at once, where that is in the bot's hands.
	cancel()
}

// dialledIn is a call that the bot made.
type dialledIn struct {
	call grpc.BidiStreamingClient[ohhellv1.ConnectRequest, ohhellv1.ConnectResponse]
	end  context.CancelFunc
}

func (d dialledIn) read() ([]*ohhellv1.ServerFrame, error) {
	message, err := d.call.Recv()
	return message.GetFrames(), err
}

func (d dialledIn) write(frames []*ohhellv1.ClientFrame) error {
	return d.call.Send(&ohhellv1.ConnectRequest{Frames: frames})
}

func (d dialledIn) finish() error { return d.call.CloseSend() }
func (d dialledIn) cancel()       { d.end() }

// dialled is a call that the bot took; it ends when its handler returns.
type dialled struct {
	call grpc.BidiStreamingServer[ohhellv1.PlayRequest, ohhellv1.PlayResponse]
}

func (d dialled) read() ([]*ohhellv1.ServerFrame, error) {
	message, err := d.call.Recv()
	return message.GetFrames(), err
}

func (d dialled) write(frames []*ohhellv1.ClientFrame) error {
	return d.call.Send(&ohhellv1.PlayResponse{Frames: frames})
}

func (d dialled) finish() error { return nil }
func (d dialled) cancel()       {}
