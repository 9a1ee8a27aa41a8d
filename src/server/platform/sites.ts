import {and, eq, inArray, isNull, sql} from 'drizzle-orm'
import {isRecord} from '#contract/is-record.ts'
import type {Site, siteWrite} from '#contract/management.ts'
import type {z} from '#contract/schema.ts'
import {clampAccent} from '#domain/site-accent.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, forbidden, HttpFailure} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {users} from '../store/schema/people.ts'
import {sites} from '../store/schema/platform.ts'
import {refuseForeignImage} from './addresses.ts'
import {isUuid, present, refuseChanged} from './fields.ts'

type SiteRow = typeof sites.$inferSelect

/** Whether a user may see and write all of a site: as one of its admins or an operator of the installation. */
export const administers = (row: SiteRow, identity: Identity | undefined): boolean =>
  identity !== undefined && (identity.role === 'operator' || row.admins.includes(identity.userId))

/**
 * The public fields (security R21): what a page needs before sign-in, inviter rule included (spec §6). An unset field
 * is null: a client merges the answer into its stored site and would keep a missing field.
 */
const publicView = (row: SiteRow): Site => ({
  id: row.id,
  origin: row.origin,
  title: row.title,
  logo: row.logo,
  favicon: row.favicon,
  description: row.description,
  keywords: row.keywords,
  features: row.features,
  distribution: row.distribution,
  accent: row.accent,
  tags: row.tags,
})

/** A site as this caller may see it: all of it for who administers it, the public fields for everybody else. */
export const siteView = (row: SiteRow, identity: Identity | undefined): Site =>
  administers(row, identity)
    ? {
        ...publicView(row),
        editable: true,
        admins: row.admins,
        metadata: row.metadata,
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
      }
    : publicView(row)

/** Any number; makes "is there a site yet" and making one a single step. */
const sitesLock = 7_301_001

/**
 * POST /sites/initialize/ (spec §4, §7). Idempotent: a known origin answers with its site. A site is administered by
 * the operator who opens it. Anybody else opens the first one of an installation, and later ones only under an address
 * the installation has of itself (PUBLIC_ORIGINS, the placeholder of loopback): these belong to the operators. Under
 * another name it is 403, for else anybody who reaches the server under a new name could make it theirs. The caller has
 * checked that the origin is the request's own or the placeholder.
 */
export async function initializeSite(
  {config, database}: ServerDeps,
  identity: Identity,
  {origin, isPlaceholder}: {origin: string; isPlaceholder: boolean},
): Promise<SiteRow> {
  return database.asSystem(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${sitesLock})`)
    const [row] = await transaction.select().from(sites).where(eq(sites.origin, origin))
    if (row) return row
    if (identity.role === 'operator') return insertSite(transaction, {origin, admins: [identity.userId]})
    const isFirst = (await transaction.$count(sites)) === 0
    if (!isFirst && !isPlaceholder && !config.publicOrigins.includes(origin)) {
      throw forbidden('siteOperator')
    }
    return insertSite(transaction, {origin, admins: await operatorIds(transaction)})
  })
}

async function operatorIds(transaction: Transaction): Promise<string[]> {
  const rows = await transaction
    .select({id: users.id})
    .from(users)
    .where(eq(users.role, 'operator'))
    .orderBy(users.createdAt)
  return rows.map(({id}) => id)
}

async function insertSite(transaction: Transaction, values: typeof sites.$inferInsert): Promise<SiteRow> {
  const [newSite] = await transaction.insert(sites).values(values).onConflictDoNothing().returning()
  if (!newSite) throw new HttpFailure(409, 'duplication', 'siteTwice', {field: 'origin'})
  return newSite
}

type SiteWrite = z.infer<typeof siteWrite>

/** POST /sites/ by an operator: a site for an origin of its own, administered by the named people or the caller. */
export async function createSite(
  deps: ServerDeps,
  identity: Identity,
  body: SiteWrite,
  requestOrigin: string | undefined,
): Promise<SiteRow> {
  const {origin} = body
  if (!origin) throw badRequest('siteOrigin', 'origin')
  refuseChanged(body, {}, ['id', 'created_at', 'updated_at'])
  const admins = await knownAdmins(deps, body.admins ?? [identity.userId])
  await refuseUnknownInviters(deps, body.distribution)
  const values = writableValues(deps, {...body, admins}, requestOrigin)
  return deps.database.asSystem((transaction) => insertSite(transaction, {...values, origin}))
}

/**
 * PUT /sites/{id} by its admins: the whole object. A key that is absent stays as it is (a client that does not know a
 * key cannot clear it), null clears it. A stale `updated_at` is a 409, so that two admins do not undo each other.
 */
export async function updateSite(
  deps: ServerDeps,
  identity: Identity,
  {row, body, requestOrigin}: {row: SiteRow; body: SiteWrite; requestOrigin: string | undefined},
): Promise<SiteRow> {
  const {updated_at: seenAt, ...changes} = body
  refuseChanged(changes, siteKeys(row), ['id', 'origin', 'created_at'])
  const admins = await knownAdmins(deps, body.admins)
  await refuseUnknownInviters(deps, body.distribution, row.distribution)
  return deps.database.asUser(identity.userId, async (transaction) => {
    const [current] = await transaction.select().from(sites).where(eq(sites.id, row.id)).for('update')
    if (!current) throw new HttpFailure(409, 'conflict', 'siteDeleted')
    if (seenAt != null && seenAt !== current.updatedAt.toISOString()) {
      throw new HttpFailure(409, 'conflict', 'siteChanged', {field: 'updated_at'})
    }
    const [updatedRow] = await transaction
      .update(sites)
      .set({...writableValues(deps, {...changes, admins}, requestOrigin, current), updatedAt: deps.now()})
      .where(eq(sites.id, row.id))
      .returning()
    return updatedRow ?? current
  })
}

const siteKeys = (row: SiteRow) => ({id: row.id, origin: row.origin, created_at: row.createdAt.toISOString()})

/** The writable keys of a site and how null clears them; anything else never reaches the table (security R21). */
function writableValues(
  {config}: ServerDeps,
  body: Omit<SiteWrite, 'admins'> & {admins: string[] | undefined},
  requestOrigin: string | undefined,
  storedRow?: SiteRow,
) {
  refuseForeignImage(config, requestOrigin, 'logo', body.logo, storedRow?.logo)
  refuseForeignImage(config, requestOrigin, 'favicon', body.favicon, storedRow?.favicon)
  const values: Partial<typeof sites.$inferInsert> = {}
  if (body.title !== undefined) values.title = body.title
  if (body.logo !== undefined) values.logo = body.logo
  if (body.favicon !== undefined) values.favicon = body.favicon
  if (body.description !== undefined) values.description = body.description
  if (body.accent !== undefined) values.accent = body.accent && clampAccent(body.accent)
  if (body.keywords !== undefined) values.keywords = body.keywords ?? []
  if (body.features !== undefined) values.features = checkedFeatures(config, body.features, requestOrigin, storedRow)
  if (body.metadata !== undefined) values.metadata = body.metadata ?? {}
  if (body.tags !== undefined) values.tags = body.tags ?? []
  if (body.admins !== undefined) values.admins = body.admins
  if (body.distribution !== undefined) values.distribution = distributionOf(body.distribution)
  return values
}

/** Whether all of these are undeleted accounts here. Read as the installation: a request sees its own alone. */
async function areAccounts({database}: ServerDeps, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  if (!ids.every(isUuid)) return false
  const admins = await database.asSystem((transaction) =>
    transaction
      .select({id: users.id})
      .from(users)
      .where(and(inArray(users.id, [...ids]), isNull(users.deletedAt))),
  )
  return admins.length === ids.length
}

async function knownAdmins(
  deps: ServerDeps,
  admins: readonly string[] | null | undefined,
): Promise<string[] | undefined> {
  if (admins === undefined) return undefined
  const adminIds = [...new Set(admins ?? [])]
  if (adminIds.length === 0) throw badRequest('siteAdminKept', 'admins')
  if (!(await areAccounts(deps, adminIds))) throw badRequest('siteAdminUnknown', 'admins')
  return adminIds
}

const inviterKeys = ['default_inviter_id', 'force_inviter_id'] as const

/** An inviter that does not exist would cost all inviters their rewards. A stored one may stay. */
async function refuseUnknownInviters(
  deps: ServerDeps,
  distribution: SiteWrite['distribution'],
  storedRule?: Site['distribution'],
): Promise<void> {
  for (const key of inviterKeys) {
    const id = distribution?.[key]
    if (!id || id === storedRule?.[key]) continue
    if (!(await areAccounts(deps, [id]))) throw badRequest('siteInviterUnknown', `distribution.${key}`)
  }
}

/** Links and images of the support entry are shown to everybody: web addresses, and images of our own store. */
function checkedFeatures(
  config: ServerDeps['config'],
  features: SiteWrite['features'],
  requestOrigin: string | undefined,
  storedRow: SiteRow | undefined,
): NonNullable<Site['features']> {
  const {discord, wechat} = supportOf(features)
  if (discord.url !== undefined && !isWebAddress(discord.url))
    throw badRequest('fieldAddress', 'features.support.discord.url')
  const storedQr = supportOf(storedRow?.features).wechat.qr
  refuseForeignImage(config, requestOrigin, 'features.support.wechat.qr', wechat.qr, storedQr)
  return features ?? {}
}

/** An empty text is none. */
const textIn = (value: unknown, key: string, field: string): string | undefined => {
  const text = isRecord(value) ? value[key] : undefined
  if (text === undefined || text === null || text === '') return undefined
  if (typeof text !== 'string' || text.length > 2048) throw badRequest('fieldInvalid', field)
  return text
}

function supportOf(features: SiteWrite['features']) {
  const support = features?.['support']
  return {
    discord: {url: textIn(support?.['discord'], 'url', 'features.support.discord.url')},
    wechat: {qr: textIn(support?.['wechat'], 'qr', 'features.support.wechat.qr')},
  }
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const distributionOf = (distribution: SiteWrite['distribution']): NonNullable<Site['distribution']> =>
  present({
    default_inviter_id: distribution?.default_inviter_id || undefined,
    force_inviter_id: distribution?.force_inviter_id || undefined,
  })
