package loop

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// MaxJournalLine bounds one line of the journal, in bytes, the newline
// included. Emit refuses an event that needs more, ReadJournal refuses a
// journal that has more.
const MaxJournalLine = 16 << 20

// ErrEventTooLong is returned by Emit for an event beyond MaxJournalLine. The
// journal is as it was before.
var ErrEventTooLong = errors.New("event is too long for the journal")

// Journal is the append-only account of a run: a file with one JSON line an
// event, each holding the hash of the line before. It is safe for concurrent
// use.
type Journal struct {
	mu     sync.Mutex
	file   journalFile
	now    func() time.Time
	seq    int
	prev   string
	size   int64
	broken error // set when the end of the file is not known any more
}

// journalFile is what a Journal needs of its file.
type journalFile interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Seek(offset int64, whence int) (int64, error)
	Close() error
}

// CreateJournal makes a new journal. It fails with an error that wraps
// fs.ErrExist when the path exists, whatever it is: a journal is never
// continued or overwritten. The clock gives each event its time.
func CreateJournal(path string, now func() time.Time) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, errors.Join(fmt.Errorf("create journal %s: %w", path, err), f.Close())
	}
	return &Journal{file: f, now: now}, nil
}

// Emit appends one event. Strings that are not valid UTF-8, which JSON cannot
// hold, are written with \xNN in place of the bad bytes, and nil slices as
// empty ones. The events that must survive a crash of the machine are on disk
// when Emit returns: a budget spent is never refunded, a verdict never lost.
//
// After an error the event is not in the journal. A later Emit may succeed
// (the disk had room again) unless the end of the file could not be restored
// or synced; then every later Emit fails too.
func (j *Journal) Emit(p Payload) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return j.broken
	}
	line, err := j.encode(p)
	if err != nil {
		return fmt.Errorf("journal event %s: %w", p.EventType(), err)
	}
	if _, err := j.file.Write(line); err != nil {
		return j.undo(fmt.Errorf("write journal event %s: %w", p.EventType(), err))
	}
	if durable(p.EventType()) {
		if err := j.file.Sync(); err != nil {
			// What a failed fsync left on disk is unknown and a second one
			// would report success (fsync(2)).
			j.broken = fmt.Errorf("sync journal event %s: %w", p.EventType(), err)
			return j.broken
		}
	}
	j.seq++
	j.prev = lineHash(line[:len(line)-1])
	j.size += int64(len(line))
	return nil
}

// Close syncs and closes the file. Emit fails afterwards.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.file.Sync()
	if j.broken == nil {
		j.broken = os.ErrClosed
	}
	if err := errors.Join(err, j.file.Close()); err != nil {
		return fmt.Errorf("close journal: %w", err)
	}
	return nil
}

func (j *Journal) encode(p Payload) ([]byte, error) {
	data, err := marshalLine(journalValue(p))
	if err != nil {
		return nil, err
	}
	line, err := marshalLine(Event{Seq: j.seq + 1, At: j.now().UTC(), Type: p.EventType(), Prev: j.prev, Data: data})
	if err != nil {
		return nil, err
	}
	if len(line) > MaxJournalLine {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrEventTooLong, len(line), MaxJournalLine)
	}
	return line, nil
}

// undo cuts a half-written line off again.
func (j *Journal) undo(cause error) error {
	err := j.file.Truncate(j.size)
	if err == nil {
		_, err = j.file.Seek(j.size, io.SeekStart)
	}
	if err != nil {
		j.broken = fmt.Errorf("%w (and the half-written line could not be removed: %w)", cause, err)
		return j.broken
	}
	return cause
}

func durable(t EventType) bool {
	switch t {
	case EventRunStarted, EventStepStarted, EventJudged, EventRunFinished:
		return true
	}
	return false
}

// marshalLine returns v as one line of JSON that ends in a newline. Only what
// JSON itself demands is escaped, so that commands stay readable.
func marshalLine(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func lineHash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// syncDir makes a new name in a folder survive a crash. Windows cannot sync a
// folder and needs no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
