package postgres_test

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lockRule refuses a statement, or a part of `alter table`, that keeps others from a table for long.
type lockRule struct {
	refused *regexp.Regexp // the first group, if any, is the table
	unless  *regexp.Regexp // nil: always
	instead string
}

func rule(refused, unless, instead string) lockRule {
	r := lockRule{refused: regexp.MustCompile(refused), instead: instead}
	if unless != "" {
		r.unless = regexp.MustCompile(unless)
	}
	return r
}

func (r lockRule) refuses(sql string) bool {
	return r.refused.MatchString(sql) && (r.unless == nil || !r.unless.MatchString(sql))
}

const (
	concurrently = "nobody can write to the table until it is done: do it `concurrently`, in a file with NO TRANSACTION"
	batches      = "its rows are locked until it is done: change them in batches, by `do` with a loop and `commit`, in a " +
		"file with NO TRANSACTION"
	addNullable = "add the column without it, and what it does in steps of their own (default, batches, constraint)"
	rewrites    = "it writes the whole table again: add another column, fill it in batches, and use that"
)

var statementRules = []lockRule{
	rule(`^create (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?(\w+)`, ` concurrently `, concurrently),
	rule(`^(?:drop index|reindex|refresh materialized view) `, ` concurrently `, concurrently),
	rule(`^(?:update|delete from|merge into) (?:only )?(\w+)`, "", batches),
	rule(`^(?:insert into .* select |with .* (?:update|delete|insert) )`, "", batches),
	rule(`^do .*\b(?:update|delete from|insert into) `, ` commit;`, batches),
	rule(`^(?:lock|truncate|cluster|vacuum .*full)\b`, "", "nobody can use the table meanwhile: do without it"),
}

// actionRules are for what `alter table` does.
var actionRules = []lockRule{
	rule(`^add (?:constraint \w+ )?(?:check|foreign key)\b`, ` not valid$`,
		"it reads the table while nobody can write: add it `not valid`, and `validate constraint` in another transaction"),
	rule(`^add (?:constraint \w+ )?(?:unique|primary key)\b`, ` using index `,
		"it makes an index: make a unique one `concurrently`, and add the constraint `using index`"),
	rule(`^add (?:constraint \w+ )?exclude\b`, "", "it makes an index, which cannot be made concurrently: do without it"),
	rule(`^add column .*\b(?:references|check|unique|primary key)\b`, "", addNullable),
	rule(`^add column .*(?:\b(?:small|big)?serial\b| generated )`, "", rewrites),
	rule(`^add column .* default .*\(`, ` default (?:now\(\)|\()`, "the default is computed for each row: "+addNullable),
	rule(`^add column .* not null`, ` default `, "rows that exist have no value: "+addNullable),
	rule(`^alter (?:column )?\w+ (?:set data )?type `, "", rewrites),
	rule(`^set (?:unlogged|logged|tablespace|access method)\b`, "", rewrites),
}

// againRules are for what cannot be run again, in a file with NO TRANSACTION.
var againRules = []lockRule{
	rule(`^create (?:table|sequence|materialized view) `, ` if not exists `, "write `if not exists`"),
	rule(`^create (?:function|view|trigger) `, "", "write `or replace`"),
	rule(`^alter table .* add column `, ` add column if not exists `, "write `add column if not exists`"),
}

// migration is one file.
type migration struct {
	name       string
	alone      bool // its statements are not in one transaction
	statements []string
	locks      []string // statements that are said to lock
}

var (
	literal     = regexp.MustCompile(`'(?:[^']|'')*'`)
	spaces      = regexp.MustCompile(`\s+`)
	alterTable  = regexp.MustCompile(`^alter table (?:if exists )?(?:only )?(\w+) (.*)$`)
	createTable = regexp.MustCompile(`^create table (?:if not exists )?(\w+)`)
	newIndex    = regexp.MustCompile(`^create (?:unique )?index concurrently (?:if not exists )?(?:(\w+) )?on `)
	newCheck    = regexp.MustCompile(`^add constraint (\w+) check \(\(*(\w+) is not null\)`)
	constraint  = regexp.MustCompile(`^add constraint (\w+) `)
	validated   = regexp.MustCompile(`^validate constraint (\w+)$`)
	setNotNull  = regexp.MustCompile(`^alter (?:column )?(\w+) set not null$`)
)

// parseMigration splits a file as goose does: at a semicolon at the end of a line, unless a statement is marked.
func parseMigration(name, text string) migration {
	m := migration{name: name}
	var sql strings.Builder
	marked, locks := false, false
	for line := range strings.Lines(text) {
		directive := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "-- +goose"))
		locks = locks || strings.HasPrefix(line, "-- Locks ")
		m.alone = m.alone || directive == "NO TRANSACTION"
		marked = (marked || directive == "StatementBegin") && directive != "StatementEnd"
		line, _, _ = strings.Cut(line, "--")
		sql.WriteString(line + "\n")
		if marked || !strings.HasSuffix(strings.TrimSpace(line), ";") && directive != "StatementEnd" {
			continue
		}
		statement := spaces.ReplaceAllString(literal.ReplaceAllString(strings.ToLower(sql.String()), "''"), " ")
		statement = strings.TrimSuffix(strings.TrimSpace(statement), ";")
		if m.statements = append(m.statements, statement); locks {
			m.locks = append(m.locks, statement)
		}
		locks = false
		sql.Reset()
	}
	return m
}

// faults returns what the file does that locks a table for long, or that cannot be run again. Tables that it creates
// itself are empty.
func (m migration) faults() (faults []string) {
	created := map[string]bool{}
	checks := map[string]string{} // the column that a constraint has not null, by its name
	for i, sql := range m.statements {
		refuse := func(instead string) {
			if !slices.Contains(m.locks, sql) {
				faults = append(faults, fmt.Sprintf("%s: %q: %s", m.name, sql, instead))
			}
		}
		if t := createTable.FindStringSubmatch(sql); t != nil {
			created[t[1]] = true
		}
		for _, r := range statementRules {
			if found := r.refused.FindStringSubmatch(sql); r.refuses(sql) && (len(found) < 2 || !created[found[1]]) {
				refuse(r.instead)
			}
		}
		if alter := alterTable.FindStringSubmatch(sql); alter != nil && !created[alter[1]] {
			for _, action := range actions(alter[2]) {
				m.checkAction(action, checks, m.statements[:i], refuse)
			}
		}
		m.checkKind(sql, m.statements[:i], refuse)
	}
	return faults
}

// actions splits what `alter table` does at the commas outside parentheses.
func actions(list string) (all []string) {
	depth, from := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			all, from = append(all, strings.TrimSpace(list[from:i])), i+1
		}
	}
	return append(all, strings.TrimSpace(list[from:]))
}

func (m migration) checkAction(action string, checks map[string]string, before []string, refuse func(string)) {
	for _, r := range actionRules {
		if r.refuses(action) {
			refuse(r.instead)
		}
	}
	if c := newCheck.FindStringSubmatch(action); c != nil {
		checks[c[1]] = c[2]
	}
	if c := constraint.FindStringSubmatch(action); c != nil && m.alone &&
		!containsSQL(before, "drop constraint if exists "+c[1]) {
		refuse("run again, it exists: `drop constraint if exists` before it")
	}
	if validated.MatchString(action) && !m.alone && len(m.statements) > 1 {
		refuse("other locks are held while it reads the table: validate in a file of its own, or with NO TRANSACTION")
	}
	if c := setNotNull.FindStringSubmatch(action); c != nil {
		for name, column := range checks {
			if column == c[1] && containsSQL(before, "validate constraint "+name) {
				return
			}
		}
		refuse("it reads the table while nobody can use it: add a check that the column `is not null`, `not valid`, and " +
			"validate it before, in the same file with NO TRANSACTION")
	}
}

// checkKind refuses what needs the other kind of file.
func (m migration) checkKind(sql string, before []string, refuse func(string)) {
	if !m.alone {
		if strings.Contains(sql, " concurrently ") || strings.Contains(sql, " commit;") {
			refuse("it cannot be run in a transaction: begin the file with `-- +goose NO TRANSACTION`")
		}
		return
	}
	for _, r := range againRules {
		if r.refuses(sql) {
			refuse("it cannot be run again after an interruption: " + r.instead)
		}
	}
	if index := newIndex.FindStringSubmatch(sql); index != nil {
		if index[1] == "" || !containsSQL(before, "drop index concurrently if exists "+index[1]) {
			refuse("an interrupted run leaves an invalid index: `drop index concurrently if exists` before it")
		}
		if !containsSQL(before, "set lock_timeout = 0") {
			refuse("it waits for every open transaction: `set lock_timeout = 0;` before it")
		}
	}
}

func containsSQL(statements []string, part string) bool {
	return slices.ContainsFunc(statements, func(s string) bool { return strings.HasSuffix(s, part) })
}

// TestMigrationsLockNothing refuses a migration after the first version that keeps servers from a table for longer than
// a moment. One that must is named: a comment before the statement begins with "-- Locks ", and CHANGELOG.md has the
// name of the file.
func TestMigrationsLockNothing(t *testing.T) {
	t.Parallel()
	changelog := string(must(os.ReadFile("../../../CHANGELOG.md")))
	files := withNext(nextMigrations)
	for _, name := range must(fs.Glob(files, "*.sql"))[1:] {
		m := parseMigration(name, string(must(fs.ReadFile(files, name))))
		for _, fault := range m.faults() {
			t.Errorf("a migration must not lock, see CONTRIBUTING.md: %s", fault)
		}
		if len(m.locks) > 0 && !strings.Contains(changelog, name) {
			t.Errorf("%s locks: CHANGELOG.md does not name it", name)
		}
	}
}

func TestLockRules(t *testing.T) {
	t.Parallel()
	const alone, drop = "-- +goose NO TRANSACTION\n", "set lock_timeout = 0;\ndrop index concurrently if exists i;\n"
	for _, c := range []struct{ sql, want string }{ // want is part of the fault; empty: none
		{"create index i on notifications (title);", "do it `concurrently`"},
		{"create unique index on only notifications\n    (title);", "do it `concurrently`"},
		{"create table x (id uuid);\ncreate index i on x (id);\nalter table x add check (id is not null);", ""},
		{"drop index i;", "do it `concurrently`"},
		{"create index concurrently i on notifications (title);", "NO TRANSACTION"},
		{alone + "create index concurrently i on notifications (title);", "leaves an invalid index"},
		{alone + "drop index concurrently if exists i;\ncreate index concurrently i on devices (id);", "lock_timeout"},
		{alone + drop + "create index concurrently i on notifications (title);", ""},
		{alone + drop + "create index concurrently on notifications (title);", "leaves an invalid index"},
		{"alter table devices add column a text;", ""},
		{"alter table devices add column a text not null default 'it''s (', add column b timestamptz default now();", ""},
		{"alter table devices add column a text, add column b uuid default gen_random_uuid();", "computed for each row"},
		{"alter table devices add column a text not null;", "no value"},
		{"alter table devices add column a uuid references channels;", "without it"},
		{"alter table devices add column a bigserial;", "whole table"},
		{"alter table devices add column a int generated always as (1) stored;", "whole table"},
		{"alter table devices alter column failures type bigint;", "whole table"},
		{"alter table devices alter failures set data type bigint;", "whole table"},
		{"alter table devices set unlogged;", "whole table"},
		{"alter table devices alter column name set default 'x';", ""},
		{"alter table devices alter column session_id set not null;", "is not null"},
		{alone + "alter table devices drop constraint if exists c;\n" +
			"alter table devices add constraint c check (session_id is not null) not valid;\n" +
			"alter table devices validate constraint c;\nalter table devices alter column session_id set not null;", ""},
		{"alter table devices add constraint c check (failures >= 0);", "`not valid`"},
		{"alter table devices add constraint c foreign key (session_id) references sessions not valid;", ""},
		{"alter table devices add foreign key (session_id) references sessions;", "`not valid`"},
		{"alter table devices add constraint c check (true) not valid;\nalter table devices validate constraint c;",
			"file of its own"},
		{"alter table devices validate constraint c;", ""},
		{alone + "alter table devices add constraint c check (true) not valid;", "drop constraint if exists"},
		{"alter table devices add constraint c unique (name);", "using index"},
		{"alter table devices add constraint c unique using index i;", ""},
		{"update devices set name = 'x';", "in batches"},
		{"delete from devices;", "in batches"},
		{"insert into x\nselect id from devices;", "in batches"},
		{"insert into x values (1);", ""},
		{"with d as (select 1) update devices set name = 'x';", "in batches"},
		{alone + "do $$ begin update devices set name = 'x'; end $$;", "in batches"},
		{alone + "-- +goose StatementBegin\ndo $$ begin loop\nupdate devices set name = 'x';\ncommit;\nend loop; end $$;\n" +
			"-- +goose StatementEnd\n", ""},
		{alone + "create table x (id uuid);", "run again"},
		{alone + "alter table devices add column if not exists a text;", ""},
		{"lock table devices;", "do without it"},
		{"truncate devices;", "do without it"},
		{"-- Locks devices for a moment: it is small.\ntruncate devices;", ""},
		{"-- Locks devices for a moment: it is small.\ntruncate devices;\ntruncate turns;", "truncate turns"},
	} {
		faults := strings.Join(parseMigration("x", c.sql).faults(), "\n")
		if !strings.Contains(faults, c.want) || c.want == "" && faults != "" {
			t.Errorf("faults of %q: got %q, want %q", c.sql, faults, c.want)
		}
	}
}
