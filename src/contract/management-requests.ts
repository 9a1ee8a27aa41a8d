import {brokenRule} from './rule.ts'
import {oneOrMany, pageQuery, uuid} from './request-schema.ts'
import {identifier, optional, z} from './schema.ts'

/*
 * Bodies and queries of the management API, validated strictly by the server: an unknown key is a 400 that names it.
 * They are separate from the answers, so that the client, which only sends them, does not load the rules.
 */

const currencyCode = z.string().check(z.regex(/^[a-z]{3}$/, brokenRule('ruleCurrency')))
const origin = z.string().check(z.maxLength(512), z.regex(/^https?:\/\/[^/?#\s]+$/))
const text = (longest: number) => z.string().check(z.maxLength(longest))

export const serviceWrite = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(200)),
  unit: z.optional(text(40)),
  price: z.optional(z.number().check(z.minimum(0))),
  description: z.optional(text(4000)),
  introduction: z.optional(text(20000)),
  thumbnail: z.optional(text(2048)),
  free_amount: z.optional(z.number().check(z.minimum(0))),
  tags: z.optional(z.array(text(64)).check(z.maxLength(64))),
  metadata: z.optional(z.record(z.string(), z.unknown())),
})

export const serviceQuery = z.strictObject({...pageQuery, id: z.optional(oneOrMany(identifier))})

/** POST /credentials/ (spec §5: needs a selected application). `host` is the origin that will use it. */
export const credentialCreate = z.strictObject({
  application_id: uuid,
  host: z.optional(text(512)),
  name: z.optional(text(120)),
})

export const credentialQuery = z.strictObject({
  ...pageQuery,
  user_id: z.optional(identifier),
  application_id: z.optional(identifier),
})
export const applicationTypes = ['Usage', 'Period'] as const
export const applicationScopes = ['Individual', 'Global'] as const

export const applicationCreate = z.strictObject({
  type: z.optional(z.enum(applicationTypes)),
  scope: z.optional(z.enum(applicationScopes)),
  service_id: z.optional(uuid),
  user_id: z.optional(identifier),
})

/**
 * PUT /applications/{id}: users may change no field of an application; balances belong to the ledger. Loose, because
 * clients send the whole object back: the route refuses unknown and changed keys by name (security R21).
 */
export const applicationUpdate = z.looseObject({})

export const applicationQuery = z.strictObject({
  ...pageQuery,
  user_id: z.optional(identifier),
  service_id: z.optional(oneOrMany(identifier)),
  type: z.optional(oneOrMany(z.enum(['Usage', 'Period', 'usage', 'period']))),
  scope: z.optional(oneOrMany(z.enum(['Individual', 'Global', 'individual', 'global']))),
})

/** PUT /users/me: the fields users may change themselves; role, balance and id are not among them (security R21). */
export const userWrite = z.strictObject({
  nickname: z.optional(text(120)),
  first_name: z.optional(text(120)),
  last_name: z.optional(text(120)),
  gender: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(9))),
  city: z.optional(text(120)),
  province: z.optional(text(120)),
  country: z.optional(text(120)),
  avatar: z.optional(text(2048)),
})

export const verificationWrite = z.strictObject({code: z.string().check(z.minLength(1), z.maxLength(64))})

export const siteInitialize = z.strictObject({origin})

export const siteQuery = z.strictObject({...pageQuery, origin: z.optional(origin)})

/**
 * PUT /sites/{id} takes the whole site with the changed key merged in. Read-only keys (`id`, `origin`, timestamps) are
 * accepted unchanged and refused when changed (security R21); `editable` is accepted and changes nothing.
 */
export const siteWrite = z.strictObject({
  id: z.optional(identifier),
  origin: z.optional(origin),
  title: optional(text(200)),
  logo: optional(text(2048)),
  favicon: optional(text(2048)),
  description: optional(text(2000)),
  keywords: optional(z.array(text(80)).check(z.maxLength(64))),
  admins: optional(z.array(identifier).check(z.maxLength(64))),
  features: optional(z.record(text(40), z.looseObject({enabled: optional(z.boolean())}))),
  distribution: optional(
    z.strictObject({default_inviter_id: optional(text(64)), force_inviter_id: optional(text(64))}),
  ),
  metadata: optional(z.record(z.string(), z.unknown())),
  tags: optional(z.array(text(64)).check(z.maxLength(64))),
  accent: optional(
    z.strictObject({
      hue: z.number().check(z.minimum(0), z.maximum(360)),
      chroma: z.number().check(z.minimum(0), z.maximum(0.4)),
    }),
  ),
  editable: optional(z.boolean()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})

export const exchangeRequest = z.strictObject({source: currencyCode, target: currencyCode})
