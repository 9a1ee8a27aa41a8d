import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type pg from 'pg'
import {expect, test} from 'vitest'
import {silentLog} from '#server/log.ts'
import {migrate} from '#server/store/migrate.ts'
import {endAll} from '../cluster/own-process.ts'
import {makeFolder, Postgres, postgresPrograms} from '../cluster/postgres.ts'
import {lookInto, readStored} from '../cluster/stored.ts'

/* The oracle of `npm run test:cluster` asks the database whether something was written after the end. */

const isThere = existsSync(join(postgresPrograms, 'initdb'))
const ids = {user: '1', conversation: '2', message: '3', answer: '4', task: '5', application: '6', order: '7'}
const uuid = (name: keyof typeof ids) => `00000000-0000-4000-8000-00000000000${ids[name]}`

/** An account with an answer, a task and an order that have ended, and what belongs to each, in one transaction. */
const ended = `
  insert into users (id, email, password_hash) values ('${uuid('user')}', 'a@example.test', 'x');
  insert into applications (id, user_id, type, scope) values ('${uuid('application')}', '${uuid('user')}', 'Usage', 'Global');
  insert into conversations (id, user_id, model) values ('${uuid('conversation')}', '${uuid('user')}', 'foo');
  insert into messages (id, user_id, conversation_id, position, role, content)
    values ('${uuid('message')}', '${uuid('user')}', '${uuid('conversation')}', 1, 'assistant', '"foo"');
  insert into answers (id, user_id, conversation_id, message_id, model, provider, trace_id, state, text, finished_at)
    values ('${uuid('answer')}', '${uuid('user')}', '${uuid('conversation')}', '${uuid('message')}', 'foo', 'bar', 't',
      'finished', 'foo', now());
  insert into tasks (id, user_id, service, operation, provider, request, trace_id, state, finished_at)
    values ('${uuid('task')}', '${uuid('user')}', 'flux', 'images', 'bar', '{}', 't', 'failed', now());
  insert into orders (id, user_id, origin, state, price, items, application_ids, package_ids, expires_at, finished_at)
    values ('${uuid('order')}', '${uuid('user')}', 'http://a.test', 'Pending', 1, '[]', '{}', '{}', now(), null);
  update orders set state = 'Paid', paid_at = now();
  update orders set state = 'Finished', finished_at = now();`

const delta = (seq: number) =>
  `insert into answer_chunks (answer_id, user_id, seq, deltas) values ('${uuid('answer')}', '${uuid('user')}', ${seq}, '["foo"]');`
const artifact = `insert into task_artifacts (user_id, task_id, service, handle, medium)
  values ('${uuid('user')}', '${uuid('task')}', 'flux', 'h', 'image');`
const credits = (kind: string, reference: string) =>
  `insert into ledger_entries (user_id, application_id, kind, amount, reference)
    values ('${uuid('user')}', '${uuid('application')}', '${kind}', 1, '${reference}');`

test.skipIf(!isThere)(
  'what is written after the end is found, and what is written with it is not',
  {timeout: 120_000},
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-late-'))
    try {
      makeFolder(folder)
      const postgres = await Postgres.create(join(folder, 'postgres'), folder)
      const url = postgres.url()
      await migrate({connectionString: url}, silentLog)
      const run = (statements: string) =>
        lookInto(url, (client: pg.Client) => client.query(`begin; ${statements} commit`))
      const trailingRows = async () =>
        (await readStored(url)).trailingRows.map(({what, of}) => `${what} ${of}`).toSorted()

      const given = credits('grant', `order:${uuid('order')}:0`)
      await run(`${ended} ${delta(1)} ${artifact} ${credits('settle', `answer:${uuid('answer')}`)} ${given}`)
      expect(await trailingRows()).toEqual([])

      await run(delta(2))
      await run(artifact)
      await run(credits('refund', `task:${uuid('task')}`))
      await run(credits('refund', `answer:${uuid('answer')}`))
      await run(credits('grant', `order:${uuid('order')}:1`))
      expect(await trailingRows()).toEqual(
        [
          `delta ${uuid('answer')}`,
          `credits ${uuid('answer')}`,
          `result ${uuid('task')}`,
          `credits ${uuid('task')}`,
          `credits ${uuid('order')}`,
        ].toSorted(),
      )
    } finally {
      await endAll()
      rmSync(folder, {recursive: true, force: true})
    }
  },
)
