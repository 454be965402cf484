package feedback

import (
	"cmp"
	"slices"
)

// merge makes one Report of what the formats found. own holds the loci that
// are more than mentions.
func merge(table []format, found []*findings, opt Options) (rep Report, own []string) {
	used := use(table, found)

	spoke := false // a test runner said that tests ran, failed or were not there
	for _, u := range used {
		if u.test && u.f.seenAt > 0 && (u.f.ran || u.f.real > 0) {
			spoke = true
		}
	}
	var real, build, undefined int
	var none, ran bool
	var why, noneWhy, badWhy string
	for _, u := range used {
		f := u.f
		if f.build > 0 && (!f.onlyAlone || !spoke) {
			build += f.build
			undefined += f.unexplained
			rep.Undefined = append(rep.Undefined, f.undefined...)
			setFirst(&why, f.whyBuild)
		}
		if !u.test || f.seenAt == 0 {
			continue
		}
		real += f.real
		none = none || f.none
		ran = ran || f.ran || f.reported > 0
		if f.none {
			setFirst(&noneWhy, f.whyNone)
		}
		if f.reported > 0 {
			rep.Contradiction = true
			setFirst(&badWhy, f.whyReported)
		}
		if f.incomplete != "" {
			rep.Contradiction = true
			setFirst(&badWhy, f.incomplete)
		}
	}
	rep.BuildFailure = build > 0 && real == 0
	rep.Unexplained = undefined > 0
	if !rep.BuildFailure {
		rep.Undefined, rep.Unexplained = nil, false
	}
	rep.NoTests = none && !ran
	switch {
	case rep.BuildFailure:
		rep.Reason = why
	case rep.Contradiction:
		rep.Reason = badWhy
	case rep.NoTests:
		rep.Reason = noneWhy
	}
	rep.Reason = shorten(opt.Redact.Text(rep.Reason), showText)
	rep.Runner = nameRunner(used)
	own = collect(&rep, used, opt)
	return rep, own
}

func setFirst(s *string, v string) {
	if *s == "" {
		*s = v
	}
}

// spoken is a format that is listened to.
type spoken struct {
	format
	f *findings
}

// use drops formats whose text another one holds.
func use(table []format, found []*findings) []spoken {
	seen := map[string]bool{}
	for i, row := range table {
		seen[row.name] = found[i].seenAt > 0
	}
	var out []spoken
	for i, row := range table {
		if !slices.ContainsFunc(row.yields, func(name string) bool { return seen[name] }) {
			out = append(out, spoken{row, found[i]})
		}
	}
	return out
}

// nameRunner returns the test runner that reported a failure first, else the
// first that was seen; without one, the first other format that was.
func nameRunner(used []spoken) string {
	best := spoken{f: &findings{}}
	weight := func(u spoken) int {
		switch {
		case u.test && (u.f.reported > 0 || u.f.build > 0 || u.f.real > 0):
			return 3
		case u.test:
			return 2
		}
		return 1
	}
	for _, u := range used {
		if u.f.seenAt == 0 || u.name == "" {
			continue
		}
		if best.f.seenAt == 0 || weight(u) > weight(best) || weight(u) == weight(best) && u.f.seenAt < best.f.seenAt {
			best = u
		}
	}
	for _, u := range used {
		if u.refines != "" && u.refines == best.name && u.f.seenAt > 0 {
			return u.name
		}
	}
	return best.name
}

// collect fills the lists of a Report in the order of the log and returns the
// loci that are more than mentions.
func collect(rep *Report, used []spoken, opt Options) []string {
	var failing, complaints, tests, assertions []note
	var loci [numRanks][]note
	for _, u := range used {
		if u.name == "" {
			complaints = u.f.failing.list
		} else if u.f.seenAt > 0 {
			failing = append(failing, u.f.failing.list...)
			tests = append(tests, u.f.tests.list...)
			assertions = append(assertions, u.f.assertions.list...)
		}
		for r := range loci {
			loci[r] = append(loci[r], u.f.loci[r].list...)
		}
	}
	if len(failing) == 0 {
		failing = complaints
	}
	show := func(s string) string { return shorten(opt.Redact.Text(s), showText) }
	rep.Failing = inOrder(failing, opt.MaxFailing, show)
	rep.TestName = inOrder(tests, opt.MaxTests, show)
	rep.Assertion = inOrder(assertions, opt.MaxAssertions, show)
	var places []string
	own := 0
	seen := map[string]bool{}
	for r, list := range loci {
		if rank(r) == rankMention {
			own = len(places)
		}
		for _, p := range inOrder(list, len(list), nil) {
			if !seen[p] && len(places) < opt.MaxLoci {
				seen[p] = true
				places = append(places, p)
			}
		}
	}
	rep.Loci = places
	return places[:own]
}

// inOrder returns the first texts by line, without repeats.
func inOrder(list []note, limit int, show func(string) string) []string {
	slices.SortStableFunc(list, func(a, b note) int { return cmp.Compare(a.no, b.no) })
	var out []string
	seen := map[string]bool{}
	for _, n := range list {
		if len(out) >= limit {
			break
		}
		s := n.text
		if show != nil {
			s = show(s)
		}
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
