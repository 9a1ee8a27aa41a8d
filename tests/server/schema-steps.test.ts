import {expect, test} from 'vitest'
import {readStep, schemaSteps} from '#server/store/schema-steps.ts'
import {isAtLeast} from '#server/version.ts'
import {faultsOfExpand} from './expand-statements.ts'

test('each migration after the baseline says its kind in its first line', () => {
  expect(readStep('0023_foo', 'drop table bar')).toEqual({kind: 'baseline', name: '0023_foo', text: 'drop table bar'})
  expect(readStep('0030_foo', '-- expand\nselect 1')).toEqual({
    kind: 'expand',
    name: '0030_foo',
    text: '-- expand\nselect 1',
  })
  expect(readStep('0030_foo', '-- contract: needs 0.3.0\nselect 1')).toEqual({
    kind: 'contract',
    needs: '0.3.0',
    name: '0030_foo',
    text: '-- contract: needs 0.3.0\nselect 1',
  })
  for (const text of ['select 1', '-- contract\nselect 1', '\n-- expand\nselect 1', '-- contract: needs 1\n'])
    expect(() => readStep('0030_foo', text)).toThrow('Migration 0030_foo must begin with')
})

test('the baseline is what came with 0.1.0', () => {
  expect(schemaSteps.filter(({kind}) => kind === 'baseline').at(-1)?.name).toBe('0023_credential_usage')
})

test.each(schemaSteps.filter(({kind}) => kind === 'expand').map(({name, text}) => [name, text]))(
  '%s breaks no older server',
  async (_, text) => expect(await faultsOfExpand(text)).toEqual([]),
)

test.each([
  'create table foo (id uuid primary key, bar text not null)',
  'create table foo (id uuid)--> statement-breakpoint\ncreate index foo_id on foo (id)',
  'create table foo (id uuid)--> statement-breakpoint\nalter table foo add constraint bar foreign key (id) references users (id)',
  'alter table tasks add column foo text',
  `alter table tasks add column foo text not null default 'bar', add column bar jsonb default '{}'::jsonb`,
  'create function foo() returns int language sql as $$ select 1 $$',
  `insert into services (id) values (gen_random_uuid())`,
  '-- safe: the table holds a row for each node\ncreate index foo on workers (version)',
])('an expand step may %s', async (text) => expect(await faultsOfExpand(text)).toEqual([]))

test.each([
  ['drop table tasks', 'DropStmt'],
  ['drop index messages_position', 'DropStmt'],
  ['alter table tasks drop column error', 'AT_DropColumn'],
  ['alter table tasks add foo int, alter column error set not null', 'AT_SetNotNull'],
  ['alter table tasks alter column error type jsonb using null', 'AT_AlterColumnType'],
  ['alter table tasks rename column error to foo', 'RenameStmt'],
  ['alter table tasks rename to foo', 'RenameStmt'],
  ['alter table tasks add column foo text not null', 'a column that older servers do not fill in'],
  ['alter table tasks add column foo uuid default gen_random_uuid()', 'a column whose default is no constant'],
  ['alter table tasks add column foo text unique', 'a column with CONSTR_UNIQUE'],
  ['alter table tasks add constraint foo check (progress < 5)', 'AT_AddConstraint'],
  ['create index foo on tasks (error)', 'IndexStmt on a table that exists'],
  ['create or replace function protect_rows(target regclass) returns int language sql as $$ select 1 $$', /replaced/],
  ['create policy foo on tasks using (false)', 'CreatePolicyStmt on a table that exists'],
  ['revoke select on tasks from atrium_app', 'GrantStmt'],
  ['delete from tasks', 'DeleteStmt'],
  ['update tasks set error = null', 'UpdateStmt'],
  [`select protect_rows('tasks')`, 'SelectStmt'],
  ['truncate tasks', 'TruncateStmt'],
  ['do $$ begin drop table tasks; end $$', 'DoStmt'],
])('an expand step may not %s', async (text, fault) => {
  expect(await faultsOfExpand(text)).toEqual([fault instanceof RegExp ? expect.stringMatching(fault) : fault])
})

test('versions are compared number by number', () => {
  expect(isAtLeast('0.10.0', '0.9.9')).toBe(true)
  expect(isAtLeast('1.0.0', '1.0.0')).toBe(true)
  expect(isAtLeast('0.2.0', '0.10.0')).toBe(false)
  expect(isAtLeast('0.9.9', '1.0.0')).toBe(false)
})
