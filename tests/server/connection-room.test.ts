import pg from 'pg'
import {expect, test} from 'vitest'
import {createLog} from '#server/log.ts'
import {warnOfFewConnections} from '#server/store/connection-room.ts'
import {createTestServer} from './harness.ts'

test('a start says when the database takes fewer connections than its nodes may need', async () => {
  const server = await createTestServer()
  const {pool} = server.deps.database
  try {
    const look = async (isPooled = false) => {
      const lines: unknown[] = []
      await warnOfFewConnections(
        server.deps.database,
        createLog((line) => lines.push(JSON.parse(line))),
        {isPooled},
      )
      return lines
    }
    const limit = async (most: number) => {
      const {rows} = await pool.query<{name: string}>('select current_database() as name')
      await pool.query(`alter database ${pg.escapeIdentifier(rows[0]?.name ?? '')} connection limit ${most}`)
    }
    await limit(59)
    expect(await look()).toEqual([])
    await limit(58)
    expect(await look()).toEqual([
      {level: 'warn', takes: 58, wanted: 59, nodes: 1, time: expect.any(String), message: expect.any(String)},
    ])
    // behind a pooler a node has nine of its own, and the pooler 40 for all of them
    expect(await look(true)).toEqual([
      {level: 'warn', takes: 58, wanted: 59, nodes: 1, time: expect.any(String), message: expect.any(String)},
    ])
    await pool.query(`insert into workers (id) values ('foo')`)
    expect(await look()).toEqual([
      {takes: 58, wanted: 108, nodes: 2, time: expect.any(String), level: 'warn', message: expect.any(String)},
    ])
    expect(await look(true)).toEqual([
      {takes: 58, wanted: 68, nodes: 2, time: expect.any(String), level: 'warn', message: expect.any(String)},
    ])
    await limit(68)
    expect(await look(true)).toEqual([])
    await limit(-1)
    expect(await look()).toEqual([])
  } finally {
    await server.close()
  }
})
