import {amount, identifier, oneOrMany, optional, paged, pageQuery, uuid, z} from './schema.ts'

/*
 * The management API (`{platform}/api/v1`, spec §7). Answers are read tolerantly: every field but the ids is
 * optional and unknown keys are dropped. Requests are read strictly: an unknown key is a 400 that names it.
 */

const text = (longest: number) => z.string().check(z.maxLength(longest))

// ---- services -------------------------------------------------------------------------------------------------

/** A model a service really offers (ours: `service.metadata.models`). `disabled` says why it cannot be used here. */
export const servedModel = z.object({
  name: z.string(),
  label: z.optional(z.string()),
  group: z.enum(['chatgpt', 'deepseek', 'grok']),
  provider: z.string(),
  enabled: z.optional(z.boolean()),
  disabled: z.optional(z.enum(['not_served', 'not_configured'])),
  local: z.optional(z.boolean()),
  isFileSupported: z.optional(z.boolean()),
  isImageSupported: z.optional(z.boolean()),
})
export type ServedModel = z.infer<typeof servedModel>

/** The extensions of the wire a service offers; a foreign back end names none and gets none. */
export const chatCapabilities = ['resume', 'stop', 'idempotency'] as const
export type ChatCapability = (typeof chatCapabilities)[number]

export const serviceMetadata = z.looseObject({
  capabilities: z.optional(z.array(z.string())),
  models: z.optional(z.array(servedModel)),
  sandbox: z.optional(z.boolean()),
  price: z.optional(z.unknown()),
})

export const service = z.object({
  id: identifier,
  title: optional(z.string()),
  name: optional(z.string()),
  unit: optional(z.string()),
  price: optional(amount),
  description: optional(z.string()),
  introduction: optional(z.string()),
  thumbnail: optional(z.string()),
  free_amount: optional(amount),
  applied_count: optional(z.number()),
  applied: optional(z.boolean()),
  tags: optional(z.array(z.string())),
  metadata: optional(serviceMetadata),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Service = z.infer<typeof service>
export const servicePage = paged(service)

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

// ---- credentials and applications -----------------------------------------------------------------------------

export const credential = z.object({
  id: identifier,
  name: optional(z.string()),
  type: optional(z.string()),
  host: optional(z.string()),
  token: optional(z.string()),
  limited_amount: optional(amount),
  used_amount: optional(amount),
  expired_at: optional(z.string()),
  application_id: optional(identifier),
  user_id: optional(identifier),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Credential = z.infer<typeof credential>
export const credentialPage = paged(credential)

/** POST /credentials/ (spec §5: needs a selected application). `host` is the origin it will be used from. */
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

export const application = z.object({
  id: identifier,
  type: optional(z.string()),
  scope: optional(z.string()),
  service_id: optional(identifier),
  service: optional(service),
  user_id: optional(identifier),
  packages: optional(z.array(z.looseObject({}))),
  credentials: optional(z.array(credential)),
  remaining_amount: optional(amount),
  used_amount: optional(amount),
  expired_at: optional(z.string()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Application = z.infer<typeof application>
export const applicationPage = paged(application)

export const applicationCreate = z.strictObject({
  type: z.optional(z.enum(applicationTypes)),
  scope: z.optional(z.enum(applicationScopes)),
  service_id: z.optional(uuid),
  user_id: z.optional(identifier),
})
/** Nothing of an application is the person's to write but its name in lists; balances are the ledger's. */
export const applicationUpdate = z.looseObject({})
export const applicationQuery = z.strictObject({
  ...pageQuery,
  user_id: z.optional(identifier),
  service_id: z.optional(oneOrMany(identifier)),
  type: z.optional(oneOrMany(z.enum(['Usage', 'Period', 'usage', 'period']))),
  scope: z.optional(oneOrMany(z.enum(['Individual', 'Global', 'individual', 'global']))),
})

// ---- users ----------------------------------------------------------------------------------------------------

export const user = z.object({
  id: identifier,
  username: optional(z.string()),
  first_name: optional(z.string()),
  last_name: optional(z.string()),
  email: optional(z.string()),
  nickname: optional(z.string()),
  gender: optional(z.number()),
  city: optional(z.string()),
  province: optional(z.string()),
  country: optional(z.string()),
  avatar: optional(z.string()),
  date_joined: optional(z.string()),
  is_verified: optional(z.boolean()),
})
export type User = z.infer<typeof user>

/** PUT /users/me: what a person may change of themselves; role, balance and id are not here (security R21). */
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
export const invitee = z.object({
  id: identifier,
  username: optional(z.string()),
  email: optional(z.string()),
  nickname: optional(z.string()),
  date_joined: optional(z.string()),
})
export const inviteePage = paged(invitee)

/** GET and PUT /users/verify: whether the person has confirmed their address or name. */
export const verification = z.object({verified: z.boolean(), verified_at: optional(z.string())})
export const verificationWrite = z.strictObject({code: z.string().check(z.minLength(1), z.maxLength(64))})

// ---- sites ----------------------------------------------------------------------------------------------------

export const distribution = z.object({
  default_inviter_id: optional(identifier),
  force_inviter_id: optional(identifier),
})

export const site = z.object({
  id: optional(identifier),
  origin: optional(z.string()),
  title: optional(z.string()),
  logo: optional(z.string()),
  favicon: optional(z.string()),
  description: optional(z.string()),
  keywords: optional(z.array(z.string())),
  admins: optional(z.array(identifier)),
  features: optional(z.record(z.string(), z.looseObject({enabled: optional(z.boolean())}))),
  distribution: optional(distribution),
  metadata: optional(z.looseObject({})),
  tags: optional(z.array(z.string())),
  accent: optional(z.object({hue: z.number(), chroma: z.number()})),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Site = z.infer<typeof site>
export const sitePage = paged(site)

const origin = z.string().check(z.maxLength(512), z.regex(/^https?:\/\/[^/?#\s]+$/))
export const siteInitialize = z.strictObject({origin})
export const siteQuery = z.strictObject({...pageQuery, origin: z.optional(origin)})
/**
 * PUT /sites/{id} carries the whole site object with the changed key merged in. Read-only keys
 * (`id`, `origin`, timestamps) are accepted when unchanged and refused when changed (security R21).
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
  accent: optional(z.strictObject({hue: z.number(), chroma: z.number()})),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})

// ---- exchange rate and files ----------------------------------------------------------------------------------

const currencyCode = z.string().check(z.regex(/^[a-z]{3}$/))
export const exchangeRequest = z.strictObject({source: currencyCode, target: currencyCode})
/** `date` is ours: the day the bundled table was taken (ISO). */
export const exchangeRate = z.object({
  source: optional(z.string()),
  target: optional(z.string()),
  rate: amount,
  date: optional(z.string()),
})
export type ExchangeRate = z.infer<typeof exchangeRate>

export const uploadedFile = z.object({
  file_url: z.string(),
  id: optional(identifier),
  name: optional(z.string()),
  type: optional(z.string()),
  size: optional(z.number()),
})
export type UploadedFile = z.infer<typeof uploadedFile>
