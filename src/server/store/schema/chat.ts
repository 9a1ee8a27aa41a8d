import {sql} from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import {messageOutcomes, type MessageContent} from '#contract/chat.ts'
import {importSources} from '#contract/imports.ts'
import {createdAt, id, jsonOrText, updatedAt} from './columns.ts'
import {userId} from './people.ts'
import {applications} from './platform.ts'
import {runColumns} from './runs.ts'

/* Conversations and the answers under way in them. */

export const conversations = pgTable(
  'conversations',
  {
    id: id(),
    userId: userId(),
    applicationId: uuid('application_id').references(() => applications.id, {onDelete: 'set null'}),
    model: text('model').notNull(),
    title: text('title'),
    preset: text('preset'),
    isPinned: boolean('is_pinned').notNull().default(false),
    isArchived: boolean('is_archived').notNull().default(false),
    /** Names; a label is there while a conversation carries it. */
    labels: text('labels')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** The source of an imported conversation, its id there, and the number of bytes that were sent. */
    importSource: text('import_source', {enum: importSources}),
    importId: text('import_id'),
    importBytes: integer('import_bytes'),
    /** Messages that are still to come; it is hidden until there are none (null). */
    importLeft: integer('import_left'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('conversations_user').on(table.userId, table.updatedAt),
    index('conversations_part')
      .on(table.updatedAt)
      .where(sql`import_left is not null`),
    uniqueIndex('conversations_import')
      .on(table.userId, table.importSource, table.importId)
      .where(sql`import_source is not null`),
  ],
)

/** The conversation that a row belongs to and goes with. */
export const conversationId = () =>
  uuid('conversation_id')
    .notNull()
    .references(() => conversations.id, {onDelete: 'cascade'})

export const messages = pgTable(
  'messages',
  {
    id: id(),
    userId: userId(),
    conversationId: conversationId(),
    /** The message before it. Messages with the same one are versions of each other. */
    parentId: uuid('parent_id').references((): AnyPgColumn => messages.id, {onDelete: 'set null'}),
    /** The original of a copy in a branch, of a copy of a copy the first one. It may be deleted, hence no reference. */
    copiedFrom: uuid('copied_from'),
    /** On the path that is shown and answered; other versions are kept beside it. */
    isCurrent: boolean('is_current').notNull().default(true),
    /** When it last left that path: of versions that left it the last one is shown again. None: it never did. */
    hiddenAt: timestamp('hidden_at', {withTimezone: true}),
    /** Ascends along every path. */
    position: integer('position').notNull(),
    role: text('role', {enum: ['system', 'assistant', 'user']}).notNull(),
    content: jsonOrText<MessageContent>('content').notNull(),
    state: text('state', {enum: ['pending', 'answering', 'finished', 'failed']})
      .notNull()
      .default('finished'),
    outcome: text('outcome', {enum: messageOutcomes}),
    error: jsonb('error').$type<{code: string; message?: string}>(),
    model: text('model'),
    provider: text('provider'),
    /** Milliseconds that the reasoning of an answer took. */
    thoughtMs: integer('thought_ms'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('messages_position')
      .on(table.conversationId, table.position)
      .where(sql`is_current`),
    index('messages_parent').on(table.parentId),
    index('messages_versions')
      .on(table.conversationId)
      .where(sql`not is_current`),
    index('messages_user').on(table.userId),
  ],
)

/**
 * One attempt to answer one message: the run of a provider, independent of its listeners (security R40–R44). `text` is
 * filled when it ends; until then the text is the chunks in order.
 */
export const answers = pgTable(
  'answers',
  {
    id: id(),
    userId: userId(),
    conversationId: conversationId(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => messages.id, {onDelete: 'cascade'}),
    attempt: integer('attempt').notNull().default(1),
    state: text('state', {enum: ['pending', 'answering', 'finished', 'failed']})
      .notNull()
      .default('pending'),
    outcome: text('outcome', {enum: messageOutcomes}),
    error: jsonb('error').$type<{code: string; message?: string}>(),
    model: text('model').notNull(),
    provider: text('provider').notNull(),
    text: text('text'),
    lastSeq: integer('last_seq').notNull().default(0),
    stopRequestedAt: timestamp('stop_requested_at', {withTimezone: true}),
    promptTokens: integer('prompt_tokens'),
    completionTokens: integer('completion_tokens'),
    tokensEstimated: boolean('tokens_estimated').notNull().default(false),
    ...runColumns(),
  },
  (table) => [
    index('answers_user').on(table.userId),
    index('answers_conversation').on(table.conversationId),
    index('answers_finished').on(table.finishedAt, table.id),
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
    /** The user of the answer. No foreign key: it goes with its user, and a batch waits for no lock of a user. */
    userId: uuid('user_id').notNull(),
    seq: integer('seq').notNull(),
    /** Deltas of the batch, in order, the last of which has number `seq`. */
    deltas: jsonb('deltas').$type<string[]>().notNull(),
  },
  (table) => [primaryKey({columns: [table.answerId, table.seq]})],
)
