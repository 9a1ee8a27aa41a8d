import pg from 'pg'
import type {Secrets} from '../secrets.ts'
import {StartFailure} from '../start-failure.ts'
import {withClient} from './client.ts'

/**
 * How requests log in to the database. A login may always `SET ROLE` back to itself, so requests must not log in as the
 * owner: they have a login of their own that may become `atrium_app` only (security R20). Its name and password are
 * computed from the installation's secret, so that every process knows them and two installations of one cluster do not
 * share them. Safe to run by several processes at once and at every start; an older installation gets it at its next
 * start.
 *
 * @throws StartFailure
 */
export async function prepareRequestLogin(
  connection: pg.PoolConfig,
  secrets: Secrets,
  {given, direct = connection}: {given?: string | undefined; direct?: pg.PoolConfig | undefined} = {},
): Promise<pg.PoolConfig> {
  const login = given === undefined ? await makeLogin(connection, direct, secrets) : {connectionString: given}
  await checkLogin(login)
  return login
}

async function makeLogin(connection: pg.PoolConfig, direct: pg.PoolConfig, secrets: Secrets): Promise<pg.PoolConfig> {
  const user = `atrium_app_${secrets
    .sign('database', 'user')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 12)
    .toLowerCase()}`
  const password = secrets.sign('database', 'password')
  await withClient(direct, (client) => createLogin(client, {user, password}))
  if (connection.connectionString === undefined) return {...connection, user, password}
  const url = new URL(connection.connectionString)
  url.username = user
  url.password = password
  return {...connection, connectionString: url.href}
}

async function createLogin(client: pg.Client, {user, password}: {user: string; password: string}): Promise<void> {
  try {
    const {rows} = await client.query<{version: number}>(`select current_setting('server_version_num')::int as version`)
    const options = (rows[0]?.version ?? 0) >= 160_000 ? ' with set true, inherit false' : ''
    const name = pg.escapeIdentifier(user)
    await client.query(`
      do $$ begin
        if not exists (select from pg_roles where rolname = ${pg.escapeLiteral(user)}) then
          create role ${name} login noinherit password ${pg.escapeLiteral(password)};
        end if;
        if not pg_has_role(${pg.escapeLiteral(user)}, 'atrium_app', 'MEMBER') then
          grant atrium_app to ${name}${options};
        end if;
      exception when duplicate_object or unique_violation then null;
      end $$`)
  } catch (cause) {
    throw new StartFailure(
      'The user of DATABASE_URL may not make the login of requests. As an administrator run: ' +
        "create role atrium_requests login noinherit password '…'; grant atrium_app to atrium_requests; " +
        'and name it in REQUEST_DATABASE_URL.',
      {cause},
    )
  }
}

/** Checks that the login can become the request role, and no role that owns tables. */
async function checkLogin(login: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(login)
  try {
    await client.connect()
  } catch (cause) {
    throw new StartFailure(
      'Requests cannot log in to the database with a user of their own: allow it in pg_hba.conf and in the pooler, if there is one, or name one in REQUEST_DATABASE_URL.',
      {cause},
    )
  }
  try {
    const {rows} = await client.query<{usable: boolean; powerful: boolean}>(`
      select pg_has_role(session_user, 'atrium_app', 'MEMBER') as usable,
        exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and pg_has_role(session_user, relowner, 'MEMBER')) as powerful`)
    if (rows[0]?.powerful || !rows[0]?.usable) {
      throw new StartFailure(
        'The database user of requests must be a member of atrium_app and must not be one of the owner of the tables.',
      )
    }
  } finally {
    await client.end()
  }
}
