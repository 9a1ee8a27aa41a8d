import {packages} from './packages.ts'
import {amount, identifier, lenient, optional, paged, z} from './schema.ts'

/*
 * The management API (`{platform}/api/v1`, spec §7). Answers are parsed tolerantly: every field but the ids is optional
 * and unknown keys are dropped. Requests: `management-requests.ts`.
 */

export {
  serviceWrite,
  serviceQuery,
  credentialCreate,
  credentialQuery,
  applicationTypes,
  applicationScopes,
  applicationCreate,
  applicationUpdate,
  applicationQuery,
  userWrite,
  verificationWrite,
  siteInitialize,
  siteQuery,
  siteWrite,
  exchangeRequest,
} from './management-requests.ts'

// ---- services -------------------------------------------------------------------------------------------------

/**
 * A model that a service serves (our extension: `service.metadata.models`). `disabled` says why it cannot be used here.
 */
const servedModel = z.object({
  name: z.string(),
  label: z.optional(z.string()),
  group: z.enum(['chatgpt', 'deepseek', 'grok']),
  provider: z.string(),
  enabled: z.optional(z.boolean()),
  disabled: z.optional(z.enum(['not_served', 'not_configured'])),
  local: z.optional(z.boolean()),
  isFileSupported: z.optional(z.boolean()),
  isImageSupported: z.optional(z.boolean()),
  /** Our extension: the most bytes of a text file in a question, and of all files of one question. */
  longestText: lenient(z.number()),
  mostFileBytes: lenient(z.number()),
  /** Price of an answer (`#domain/model-price.ts`); absent where nobody says. */
  price: lenient(z.object({prompt: z.string(), completion: z.string(), most_tokens: z.optional(z.number())})),
})
export type ServedModel = z.infer<typeof servedModel>

/** The wire extensions a service offers; a foreign back end names none and gets none. */
export const chatCapabilities = [
  'resume',
  'stop',
  'idempotency',
  'follow',
  'naming',
  'last',
  'versions',
  'preset',
  'marks',
  'labels',
  'branch-model',
  'branch-key',
  'edit-files',
  'revisions',
  'paths',
  'answer-to',
] as const
export type ChatCapability = (typeof chatCapabilities)[number]

const serviceMetadata = z.looseObject({
  capabilities: z.optional(z.array(z.string())),
  models: z.optional(z.array(servedModel)),
  sandbox: z.optional(z.boolean()),
  price: z.optional(z.unknown()),
  /** Our extension: nothing is charged, whatever the price rules say. */
  free: lenient(z.boolean()),
  /** Our extension: false if no provider serves the service. */
  available: lenient(z.boolean()),
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
  packages,
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Service = z.infer<typeof service>

// ---- tasks ------------------------------------------------------------------------------------------------------

/** Our extension, if the page's configuration offers `running`. `service` is the first segment of its paths. */
const runningTask = z.object({id: identifier, service: z.string(), created_at: z.number()})
export const runningTasks = z.object({items: z.array(runningTask)})
export type RunningTasks = z.infer<typeof runningTasks>

// ---- credentials and applications -----------------------------------------------------------------------------

export const credential = z.object({
  id: identifier,
  name: optional(z.string()),
  type: optional(z.string()),
  host: optional(z.string()),
  /** For an API key (no host) only in the answers of POST and of GET by id: lists show `masked_token`. */
  token: optional(z.string()),
  /** Our extension: enough of the token to recognise it. */
  masked_token: optional(z.string()),
  limited_amount: optional(amount),
  used_amount: optional(amount),
  expired_at: optional(z.string()),
  application_id: optional(identifier),
  user_id: optional(identifier),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Credential = z.infer<typeof credential>

export const application = z.object({
  id: identifier,
  type: optional(z.string()),
  scope: optional(z.string()),
  service_id: optional(identifier),
  service: optional(service),
  user_id: optional(identifier),
  packages,
  credentials: optional(z.array(credential)),
  remaining_amount: optional(amount),
  used_amount: optional(amount),
  expired_at: optional(z.string()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Application = z.infer<typeof application>
export const applicationPage = paged(application)

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
  /** Our extension: the caller may change the site. */
  editable: optional(z.boolean()),
  created_at: optional(z.string()),
  updated_at: optional(z.string()),
})
export type Site = z.infer<typeof site>
export const sitePage = paged(site)

// ---- exchange rate and files ----------------------------------------------------------------------------------

/** `date` is our extension: the day of the bundled table (ISO). */
export const exchangeRate = z.object({
  source: optional(z.string()),
  target: optional(z.string()),
  rate: amount,
  date: optional(z.string()),
})

export const uploadedFile = z.object({
  file_url: z.string(),
  id: optional(identifier),
  name: optional(z.string()),
  type: optional(z.string()),
  size: optional(z.number()),
})
export type UploadedFile = z.infer<typeof uploadedFile>
