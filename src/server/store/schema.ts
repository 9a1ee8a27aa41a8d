import {sql} from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type {MessageContent} from '#contract/chat.ts'
import type {Site} from '#contract/management.ts'

/*
 * The one schema of Atrium. Every table forces row-level security (security R20): of one with a `user_id` a request sees
 * and writes only rows of `app.user`; the owner role `atrium` (workers, migrations) sees all. The policies stand in the
 * migrations `0001_policies.sql` and `0005_shared_policies.sql`; a meta test looks at every table.
 */

const id = () => uuid('id').primaryKey().defaultRandom()
const createdAt = () => timestamp('created_at', {withTimezone: true}).notNull().defaultNow()
const updatedAt = () => timestamp('updated_at', {withTimezone: true}).notNull().defaultNow()
/** Credits: exact decimals, six places, as text in JavaScript. */
const credits = (name: string) => numeric(name, {precision: 20, scale: 6})

// ---- people and their sessions ----------------------------------------------------------------------------------

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    nickname: text('nickname'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    gender: integer('gender'),
    city: text('city'),
    province: text('province'),
    country: text('country'),
    avatar: text('avatar'),
    /** `operator` runs the installation: writes services, exempt from nothing else. */
    role: text('role', {enum: ['member', 'operator']})
      .notNull()
      .default('member'),
    inviterId: uuid('inviter_id'),
    verifiedAt: timestamp('verified_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('users_email').on(sql`lower(${table.email})`), index('users_inviter').on(table.inviterId)],
)

/** One sign-in of one browser. Refreshing raises `generation`; replaying an old one after the grace revokes all. */
export const tokenFamilies = pgTable(
  'token_families',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    /** Origin of the site the person signed in to. */
    client: text('client').notNull(),
    generation: integer('generation').notNull().default(0),
    rotatedAt: timestamp('rotated_at', {withTimezone: true}),
    revokedAt: timestamp('revoked_at', {withTimezone: true}),
    expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('token_families_user').on(table.userId)],
)

export const accessTokens = pgTable(
  'access_tokens',
  {
    hash: text('hash').primaryKey(),
    familyId: uuid('family_id')
      .notNull()
      .references(() => tokenFamilies.id, {onDelete: 'cascade'}),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    generation: integer('generation').notNull(),
    expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
  },
  (table) => [index('access_tokens_family').on(table.familyId)],
)

/** Login codes: single use, 60 s, bound to redirect, user and challenge (security R10). */
export const loginCodes = pgTable('login_codes', {
  hash: text('hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, {onDelete: 'cascade'}),
  redirectUri: text('redirect_uri').notNull(),
  client: text('client').notNull(),
  challenge: text('challenge'),
  familyId: uuid('family_id'),
  usedAt: timestamp('used_at', {withTimezone: true}),
  expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
})

/** A sign-in that waits for the app to begin its login: single use, 60 s (auth/handover.ts). */
export const loginHandovers = pgTable('login_handovers', {
  hash: text('hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, {onDelete: 'cascade'}),
  expiresAt: timestamp('expires_at', {withTimezone: true}).notNull(),
})

// ---- sites, services, applications, credentials -------------------------------------------------------------------

export const sites = pgTable(
  'sites',
  {
    id: id(),
    origin: text('origin').notNull(),
    title: text('title'),
    logo: text('logo'),
    favicon: text('favicon'),
    description: text('description'),
    keywords: text('keywords')
      .array()
      .notNull()
      .default(sql`'{}'`),
    admins: uuid('admins')
      .array()
      .notNull()
      .default(sql`'{}'`),
    features: jsonb('features').$type<NonNullable<Site['features']>>().notNull().default({}),
    distribution: jsonb('distribution').$type<NonNullable<Site['distribution']>>().notNull().default({}),
    accent: jsonb('accent').$type<{hue: number; chroma: number}>(),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('sites_origin').on(table.origin)],
)

export const services = pgTable('services', {
  id: id(),
  title: text('title').notNull(),
  unit: text('unit').notNull().default('Credit'),
  price: credits('price').notNull().default('0'),
  description: text('description'),
  introduction: text('introduction'),
  thumbnail: text('thumbnail'),
  freeAmount: credits('free_amount').notNull().default('0'),
  tags: text('tags')
    .array()
    .notNull()
    .default(sql`'{}'`),
  metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const applications = pgTable(
  'applications',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    type: text('type', {enum: ['Usage', 'Period']})
      .notNull()
      .default('Usage'),
    scope: text('scope', {enum: ['Individual', 'Global']})
      .notNull()
      .default('Individual'),
    serviceId: uuid('service_id').references(() => services.id),
    /** What can still be spent: granted + bought − settled − held. Written only by the ledger, under a row lock. */
    remainingAmount: credits('remaining_amount').notNull().default('0'),
    usedAmount: credits('used_amount').notNull().default('0'),
    expiredAt: timestamp('expired_at', {withTimezone: true}),
    /** Deleting hides it and revokes its keys; applying again brings it back with its balance (free credits once). */
    deletedAt: timestamp('deleted_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('applications_user').on(table.userId),
    uniqueIndex('applications_global')
      .on(table.userId, table.type)
      .where(sql`scope = 'Global'`),
    uniqueIndex('applications_individual')
      .on(table.userId, table.serviceId, table.type)
      .where(sql`scope = 'Individual'`),
  ],
)

/**
 * Keys of an application. The token itself is not stored: it is computed from the id and the installation's secret, and
 * looked up by its hash (security R25). `host` is an origin: such a key is made for a browser and lives 24 h.
 */
export const credentials = pgTable(
  'credentials',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, {onDelete: 'cascade'}),
    name: text('name'),
    type: text('type', {enum: ['Token', 'Identity']})
      .notNull()
      .default('Token'),
    host: text('host'),
    tokenHash: text('token_hash').notNull(),
    /** The sign-in this browser key was made in; revoked with it at logout. */
    familyId: uuid('family_id').references(() => tokenFamilies.id, {onDelete: 'set null'}),
    usedAmount: credits('used_amount').notNull().default('0'),
    expiredAt: timestamp('expired_at', {withTimezone: true}),
    revokedAt: timestamp('revoked_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('credentials_hash').on(table.tokenHash),
    index('credentials_application').on(table.applicationId),
    index('credentials_user').on(table.userId),
  ],
)

// ---- the ledger ---------------------------------------------------------------------------------------------------

/** hold → settle (+ refund of the rest) or refund of all; `grant` puts credits in. Rows are never changed. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, {onDelete: 'cascade'}),
    kind: text('kind', {enum: ['grant', 'hold', 'settle', 'refund']}).notNull(),
    /** Positive; the kind gives the direction. */
    amount: credits('amount').notNull(),
    /** What it is for: `answer:<id>`, `grant:free`, later `order:<id>`, `task:<id>`. */
    reference: text('reference').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('ledger_once').on(table.reference, table.kind),
    index('ledger_user').on(table.userId, table.createdAt),
    check('ledger_positive', sql`${table.amount} >= 0`),
  ],
)

/** One row a call that reached a provider: what the console's usage list shows. */
export const usages = pgTable(
  'usages',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, {onDelete: 'cascade'}),
    serviceId: uuid('service_id'),
    credentialId: uuid('credential_id'),
    statusCode: integer('status_code').notNull(),
    traceId: text('trace_id').notNull(),
    deductedAmount: credits('deducted_amount').notNull().default('0'),
    remainingAmount: credits('remaining_amount').notNull().default('0'),
    metadata: jsonb('metadata').$type<Record<string, string | number>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [index('usages_user').on(table.userId, table.createdAt)],
)

// ---- chat ---------------------------------------------------------------------------------------------------------

export const conversations = pgTable(
  'conversations',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    applicationId: uuid('application_id').references(() => applications.id, {onDelete: 'set null'}),
    model: text('model').notNull(),
    title: text('title'),
    preset: text('preset'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('conversations_user').on(table.userId, table.updatedAt)],
)

export const messages = pgTable(
  'messages',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, {onDelete: 'cascade'}),
    position: integer('position').notNull(),
    role: text('role', {enum: ['system', 'assistant', 'user']}).notNull(),
    content: jsonb('content').$type<MessageContent>().notNull(),
    state: text('state', {enum: ['pending', 'answering', 'finished', 'failed']})
      .notNull()
      .default('finished'),
    outcome: text('outcome', {enum: ['stopped', 'interrupted', 'refused']}),
    error: jsonb('error').$type<{code: string; message?: string}>(),
    model: text('model'),
    provider: text('provider'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('messages_position').on(table.conversationId, table.position),
    index('messages_user').on(table.userId),
  ],
)

/**
 * One attempt to answer one message: the run that a provider works on, whoever listens (security R40–R44). `text` is
 * filled when it ends; until then the text is the chunks in order.
 */
export const answers = pgTable(
  'answers',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, {onDelete: 'cascade'}),
    messageId: uuid('message_id')
      .notNull()
      .references(() => messages.id, {onDelete: 'cascade'}),
    applicationId: uuid('application_id').references(() => applications.id, {onDelete: 'set null'}),
    credentialId: uuid('credential_id'),
    attempt: integer('attempt').notNull().default(1),
    state: text('state', {enum: ['pending', 'answering', 'finished', 'failed']})
      .notNull()
      .default('pending'),
    outcome: text('outcome', {enum: ['stopped', 'interrupted', 'refused']}),
    error: jsonb('error').$type<{code: string; message?: string}>(),
    model: text('model').notNull(),
    provider: text('provider').notNull(),
    text: text('text'),
    lastSeq: integer('last_seq').notNull().default(0),
    /** The worker that runs it and the fencing token of that run (security R66). */
    workerId: text('worker_id'),
    fence: bigint('fence', {mode: 'number'}).notNull().default(0),
    stopRequestedAt: timestamp('stop_requested_at', {withTimezone: true}),
    held: credits('held').notNull().default('0'),
    settled: credits('settled'),
    promptTokens: integer('prompt_tokens'),
    completionTokens: integer('completion_tokens'),
    tokensEstimated: boolean('tokens_estimated').notNull().default(false),
    traceId: text('trace_id').notNull(),
    createdAt: createdAt(),
    startedAt: timestamp('started_at', {withTimezone: true}),
    finishedAt: timestamp('finished_at', {withTimezone: true}),
  },
  (table) => [
    index('answers_user').on(table.userId),
    index('answers_conversation').on(table.conversationId),
    index('answers_running')
      .on(table.state)
      .where(sql`state in ('pending', 'answering')`),
  ],
)

/** The numbered chunks of an answer, stored in batches of at most 100 ms: `seq` is that of the batch's last delta. */
export const answerChunks = pgTable(
  'answer_chunks',
  {
    answerId: uuid('answer_id')
      .notNull()
      .references(() => answers.id, {onDelete: 'cascade'}),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    seq: integer('seq').notNull(),
    /** Deltas of the batch, in order, the last of which has number `seq`. */
    deltas: jsonb('deltas').$type<string[]>().notNull(),
  },
  (table) => [primaryKey({columns: [table.answerId, table.seq]})],
)

// ---- media tasks --------------------------------------------------------------------------------------------------

/**
 * One generation of one media tool: what was asked, who makes it, and what came of it. Addresses of our own files stand
 * in `request` and `response` as `atrium-file:<id>/<name>` and are made whole for the origin that reads them.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    /** The tool's service on the wire, such as `nano-banana`, and the name of its operation. */
    service: text('service').notNull(),
    operation: text('operation').notNull(),
    /** `type` on the wire; some operations have none. */
    type: text('type'),
    applicationId: uuid('application_id').references(() => applications.id, {onDelete: 'set null'}),
    credentialId: uuid('credential_id'),
    state: text('state', {enum: ['queued', 'running', 'succeeded', 'failed']})
      .notNull()
      .default('queued'),
    outcome: text('outcome', {enum: ['stopped', 'interrupted', 'refused']}),
    error: jsonb('error').$type<{code: string; message: string}>(),
    provider: text('provider').notNull(),
    /** The job at the provider, stored as soon as it is known: a restart asks for it instead of buying again. */
    providerJob: text('provider_job'),
    request: jsonb('request').$type<Record<string, unknown>>().notNull(),
    /** The tool's own answer; while it runs, what the provider lets see. */
    response: jsonb('response').$type<Record<string, unknown>>(),
    progress: integer('progress').notNull().default(0),
    /** Only an allow-listed address is stored, since only such a one is called (security R27). */
    callbackUrl: text('callback_url'),
    /** The worker that runs it and the fencing token of that run (security R66). */
    workerId: text('worker_id'),
    fence: bigint('fence', {mode: 'number'}).notNull().default(0),
    held: credits('held').notNull().default('0'),
    settled: credits('settled'),
    traceId: text('trace_id').notNull(),
    createdAt: createdAt(),
    startedAt: timestamp('started_at', {withTimezone: true}),
    finishedAt: timestamp('finished_at', {withTimezone: true}),
  },
  (table) => [
    index('tasks_list').on(table.userId, table.service, table.createdAt),
    index('tasks_open')
      .on(table.state, table.workerId)
      .where(sql`state in ('queued', 'running')`),
    /** What runs for a person, over all services and beside however many tasks that have ended. */
    index('tasks_running')
      .on(table.userId, table.createdAt)
      .where(sql`state in ('queued', 'running')`),
  ],
)

/** What a task made, in our own store. `handle` is the id under which other requests name it (`image_id`, `audio_id` …). */
export const taskArtifacts = pgTable(
  'task_artifacts',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    taskId: uuid('task_id')
      .notNull()
      .references(() => tasks.id, {onDelete: 'cascade'}),
    service: text('service').notNull(),
    handle: text('handle').notNull(),
    medium: text('medium', {enum: ['image', 'video', 'audio', 'text']}).notNull(),
    /** Absent for a text. */
    fileId: text('file_id').references(() => files.id, {onDelete: 'set null'}),
    previewFileId: text('preview_file_id').references(() => files.id, {onDelete: 'set null'}),
    /** Where the provider had it: a pass-through names it so when it is worked on. */
    sourceUrl: text('source_url'),
  },
  (table) => [
    index('task_artifacts_task').on(table.taskId),
    index('task_artifacts_handle').on(table.userId, table.service, table.handle),
    index('task_artifacts_file').on(table.fileId),
    index('task_artifacts_preview').on(table.previewFileId),
  ],
)

// ---- submits ------------------------------------------------------------------------------------------------------

/** Submits that were seen (security R46): the same key and hash again attaches to the same answer or task. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answerId: uuid('answer_id'),
    taskId: uuid('task_id'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({columns: [table.userId, table.key]})],
)

// ---- files and the installation -----------------------------------------------------------------------------------

export const files = pgTable(
  'files',
  {
    /** Unguessable storage name, 128 random bits in base64url; also the public handle. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, {onDelete: 'cascade'}),
    name: text('name').notNull(),
    type: text('type').notNull(),
    size: integer('size').notNull(),
    width: integer('width'),
    height: integer('height'),
    createdAt: createdAt(),
  },
  (table) => [index('files_user').on(table.userId)],
)

/** Facts of this installation, such as its placeholder site origin. One row a name. */
export const installation = pgTable('installation', {name: text('name').primaryKey(), value: text('value').notNull()})

/** Live workers. A worker without a heartbeat for 30 s is dead: its answers end as interrupted, its jobs are unlocked. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  heartbeatAt: timestamp('heartbeat_at', {withTimezone: true}).notNull().defaultNow(),
})
