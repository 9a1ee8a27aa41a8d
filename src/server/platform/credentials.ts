import {and, desc, eq, gt, isNull, or, type SQL} from 'drizzle-orm'
import {randomUUID} from 'node:crypto'
import type {Credential} from '#contract/management.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import {hashToken, type Secrets} from '../secrets.ts'
import type {Transaction} from '../store/database.ts'
import {applications, credentials} from '../store/schema/platform.ts'
import {isUuid, present} from './fields.ts'

export type CredentialRow = typeof credentials.$inferSelect

const tokenPrefix = 'sk-atrium-'
/** Life of a key made for a browser, and the last part of it in which it works but is no longer handed out. */
const browserKeyMilliseconds = 24 * 3_600_000
const renewalMilliseconds = 3_600_000
/** Live keys without a host that one application may have. */
const apiKeyLimit = 50

/** The bearer of a credential: computed, never stored; the table has its hash (security R25). */
const credentialToken = (secrets: Secrets, id: string): string => `${tokenPrefix}${secrets.sign('credential', id)}`

/** Not revoked and not expired. */
export const isLive = (now: Date): SQL | undefined =>
  and(isNull(credentials.revokedAt), or(isNull(credentials.expiredAt), gt(credentials.expiredAt, now)))

/**
 * A key on the wire. The token of a browser key is shown to its own sign-in, unless it is in its last hour: the client
 * then makes the next one. Another sign-in's browser key stays that browser's. The token of an API key (no host) is
 * shown where it is asked for alone (`reveals`); lists recognise it by `masked_token` (docs/decisions/0044).
 */
export function credentialView(
  deps: ServerDeps,
  row: CredentialRow,
  identity: Identity,
  {reveals = false}: {reveals?: boolean} = {},
): Credential {
  const isShown = row.host === null ? reveals : row.familyId === identity.familyId
  const token = readToken(deps.secrets, row)
  return present({
    id: row.id,
    name: row.name,
    type: row.type,
    host: row.host,
    token: isShown && isHandedOut(row, deps.now()) ? token : undefined,
    masked_token: token === undefined ? undefined : `${tokenPrefix}…${token.slice(-4)}`,
    used_amount: Number(row.usedAmount),
    expired_at: row.expiredAt?.toISOString(),
    application_id: row.applicationId,
    user_id: row.userId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  })
}

const isHandedOut = (row: CredentialRow, now: Date): boolean =>
  row.expiredAt === null || row.expiredAt.getTime() - now.getTime() > renewalMilliseconds

/** `undefined` for a key made under another `SECRET`: what would be computed now is not what authenticates it. */
function readToken(secrets: Secrets, row: CredentialRow): string | undefined {
  const token = credentialToken(secrets, row.id)
  return hashToken(token) === row.tokenHash ? token : undefined
}

/** The keys of an application, newest first: the browser keys that the caller may use, and its API keys, masked. */
export async function usableCredentials(
  deps: ServerDeps,
  transaction: Transaction,
  identity: Identity,
  filter: SQL | undefined,
): Promise<Credential[]> {
  const rows = await transaction
    .select()
    .from(credentials)
    .where(and(isLive(deps.now()), filter))
    .orderBy(desc(credentials.createdAt), desc(credentials.id))
  return rows
    .map((row) => credentialView(deps, row, identity))
    .filter((view) => (view.host === undefined ? view.masked_token : view.token) !== undefined)
}

type CredentialRequest = {application_id: string; host?: string | undefined; name?: string | undefined}

/**
 * POST /credentials/ (spec §4, §5). With a host it is a browser key: bound to that origin and to this sign-in, 24 h,
 * one live per application, host and sign-in (asking again gives the same one until its last hour). Without a host it
 * is an API key that lives until it is revoked. `isNew` is false for a key that was there.
 */
export async function issueCredential(
  deps: ServerDeps,
  identity: Identity,
  wantedCredential: CredentialRequest,
  requestOrigin: string | undefined,
) {
  const host =
    wantedCredential.host === undefined || wantedCredential.host === ''
      ? undefined
      : checkedHost(wantedCredential.host, requestOrigin)
  return deps.database.asUser(identity.userId, async (transaction) => {
    await lockApplication(transaction, wantedCredential.application_id)
    const live = and(eq(credentials.applicationId, wantedCredential.application_id), isLive(deps.now()))
    if (host === undefined) {
      const keys = await transaction.$count(credentials, and(live, isNull(credentials.host)))
      if (keys >= apiKeyLimit) throw new HttpFailure(409, 'bad_request', 'mostKeys', {values: {most: apiKeyLimit}})
      return {row: await insertKey(deps, transaction, identity, wantedCredential), isNew: true}
    }
    const family = identity.familyId ? eq(credentials.familyId, identity.familyId) : isNull(credentials.familyId)
    const siblings = await transaction
      .select()
      .from(credentials)
      .where(and(live, eq(credentials.host, host), family))
    const usable = siblings.find((row) => credentialView(deps, row, identity).token !== undefined)
    if (usable) return {row: usable, isNew: false}
    await transaction
      .update(credentials)
      .set({revokedAt: deps.now(), updatedAt: deps.now()})
      .where(and(live, eq(credentials.host, host), family))
    return {row: await insertKey(deps, transaction, identity, {...wantedCredential, host}), isNew: true}
  })
}

async function insertKey(
  deps: ServerDeps,
  transaction: Transaction,
  identity: Identity,
  {application_id, host, name}: CredentialRequest,
) {
  const id = randomUUID()
  const now = deps.now()
  const [row] = await transaction
    .insert(credentials)
    .values({
      id,
      userId: identity.userId,
      applicationId: application_id,
      name: name?.trim() || null,
      host: host ?? null,
      tokenHash: hashToken(credentialToken(deps.secrets, id)),
      familyId: host === undefined ? null : (identity.familyId ?? null),
      expiredAt: host === undefined ? null : new Date(now.getTime() + browserKeyMilliseconds),
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!row) throw new Error('The new credential was not returned')
  return row
}

/** Locks the caller's application: keys are made one at a time; foreign, deleted and missing are the same 404. */
async function lockApplication(transaction: Transaction, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound()
  const [row] = await transaction
    .select({id: applications.id})
    .from(applications)
    .where(and(eq(applications.id, id), isNull(applications.deletedAt)))
    .for('update')
  if (!row) throw notFound()
}

/**
 * A host is the origin of the page that will use the key. A request that states its Origin can only make keys for that
 * origin; one without (no browser) could state any, so it is taken at its word.
 */
function checkedHost(host: string, requestOrigin: string | undefined): string {
  const origin = URL.canParse(host) ? new URL(host) : undefined
  if (!origin || !/^https?:$/.test(origin.protocol) || origin.origin !== host) {
    throw badRequest('keyHost', 'host')
  }
  if (requestOrigin !== undefined && requestOrigin !== host) {
    throw new HttpFailure(403, 'forbidden', 'keyOtherPage', {
      field: 'host',
    })
  }
  return host
}

/** DELETE /credentials/{id}: the key stops working at once; streams opened with it end within 30 s (security R23). */
export async function revokeCredential(deps: ServerDeps, identity: Identity, id: string): Promise<void> {
  const revokedRow = await deps.database.asUser(identity.userId, (transaction) =>
    transaction
      .update(credentials)
      .set({revokedAt: deps.now(), updatedAt: deps.now()})
      .where(and(eq(credentials.id, id), isLive(deps.now())))
      .returning({id: credentials.id}),
  )
  if (revokedRow.length === 0) throw notFound()
}
