import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import pg from 'pg'
import type {TestProject} from 'vitest/node'
import {silentLog} from '#server/log.ts'
import {startEmbeddedPostgres} from '#server/store/embedded-postgres.ts'
import {lockFolder} from '#server/store/folder-lock.ts'
import {databaseFolder, removeAbandoned} from './database-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    database: TestDatabase
  }
}

/** The database that test files get by `inject('database')`. */
export type TestDatabase = {
  /** A superuser or a role with CREATEDB and CREATEROLE: makes and drops the databases of tests. */
  administrator: pg.PoolConfig
  /** The owner of the tables: servers under test connect as this role. */
  owner: pg.PoolConfig
  /** The owner of databases that another role makes; `undefined`: the role that makes them owns them. */
  ownerRole: string | undefined
  /** Migrated and empty; each test server gets a copy. */
  template: string
  /** The folder of the cluster; `undefined` where the run did not make one. */
  folder?: string | undefined
}

/** Loads what imports `.sql?raw`, which this file's own loader can do as well: global set-up runs through Vite. */
export const migrateTemplate = async (connection: pg.PoolConfig) => {
  const {migrate} = await import('#server/store/migrate.ts')
  await migrate(connection, silentLog)
}

/** One cluster for the whole run, in a folder of its own without fsync; or the PostgreSQL that DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = `atrium_template_${process.pid}`
  const url = process.env['DATABASE_URL']
  const cluster = url === undefined ? await startCluster() : undefined
  const administrator = cluster?.administrator ?? {connectionString: url}
  const ownerRole = cluster && 'atrium'
  const owner = cluster === undefined ? {connectionString: url} : {...cluster.connection}

  await administer(
    administrator,
    `create database ${template}${ownerRole === undefined ? '' : ` owner ${ownerRole}`} encoding 'UTF8' template template0`,
  )
  await migrateTemplate(withDatabase(owner, template))
  project.provide('database', {administrator, owner, ownerRole, template, folder: cluster?.folder})

  return async () => {
    if (cluster) await cluster.stop()
    else await administer(administrator, `drop database if exists ${template} with (force)`)
  }
}

const folderPrefix = 'atrium-test-'

async function startCluster() {
  await removeAbandoned(folderPrefix)
  const folder = mkdtempSync(join(databaseFolder(), folderPrefix))
  const unlock = lockFolder(folder)
  const cluster = await startEmbeddedPostgres(folder, silentLog, {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    shared_buffers: '64MB',
  })
  const stop = async () => {
    await cluster.stop()
    unlock()
    rmSync(folder, {recursive: true, force: true})
  }
  return {administrator: cluster.administrator, connection: cluster.connection, folder, stop}
}

/** Runs one statement that cannot stand in a transaction. */
export async function administer(administrator: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(administrator)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server and role, another database. */
export function withDatabase(connection: pg.PoolConfig, database: string): pg.PoolConfig {
  if (connection.connectionString === undefined) return {...connection, database}
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return {...connection, connectionString: url.href}
}
