import {sql} from 'drizzle-orm'
import {index, integer, jsonb, pgTable, primaryKey, text, uuid} from 'drizzle-orm/pg-core'
import {failureOutcomes} from '#contract/chat.ts'
import type {MediaPlan} from '#contract/media/media-tool.ts'
import {id} from './columns.ts'
import {files} from './files.ts'
import {userId} from './people.ts'
import {runColumns} from './runs.ts'

/* Requests to the media tools, and their results. */

/**
 * One generation of one media tool: the request, its provider and its result. Addresses of our own files are stored in
 * `request`, `body`, `plan` and `response` as `atrium-file:<id>/<name>`, and get the origin of the reader.
 */
export const tasks = pgTable(
  'tasks',
  {
    id: id(),
    userId: userId(),
    /** The tool's service on the wire, such as `nano-banana`, and the name of its operation. */
    service: text('service').notNull(),
    operation: text('operation').notNull(),
    /** `type` on the wire; some operations have none. */
    type: text('type'),
    state: text('state', {enum: ['queued', 'running', 'succeeded', 'failed']})
      .notNull()
      .default('queued'),
    outcome: text('outcome', {enum: failureOutcomes}),
    error: jsonb('error').$type<{code: string; message: string}>(),
    provider: text('provider').notNull(),
    /** The job at the provider, stored as soon as it is known: after a restart it is polled instead of bought again. */
    providerJob: text('provider_job'),
    request: jsonb('request').$type<Record<string, unknown>>().notNull(),
    /** The request as its operation read it, and the plan; absent in tasks from before these columns. */
    body: jsonb('body').$type<Record<string, unknown>>(),
    plan: jsonb('plan').$type<MediaPlan>(),
    /** The tool's own answer; while it runs, what the provider lets see. */
    response: jsonb('response').$type<Record<string, unknown>>(),
    progress: integer('progress').notNull().default(0),
    /** Only an allow-listed address is stored, since only such a one is called (security R27). */
    callbackUrl: text('callback_url'),
    ...runColumns(),
  },
  (table) => [
    index('tasks_list').on(table.userId, table.service, table.createdAt),
    index('tasks_open')
      .on(table.state, table.workerId)
      .where(sql`state in ('queued', 'running')`),
    /** Running tasks of a user over all services, without the ended ones. */
    index('tasks_running')
      .on(table.userId, table.createdAt)
      .where(sql`state in ('queued', 'running')`),
  ],
)

/** How many tasks a user has, by tool and type (`''`: none). A trigger of `tasks` keeps it (docs/decisions/0082). */
export const taskCounts = pgTable(
  'task_counts',
  {
    userId: userId(),
    service: text('service').notNull(),
    type: text('type').notNull(),
    tasks: integer('tasks').notNull(),
  },
  (table) => [primaryKey({columns: [table.userId, table.service, table.type]})],
)

/** The results of a task, in our store. `handle`: the id by which requests name it (`image_id`, `audio_id` …). */
export const taskArtifacts = pgTable(
  'task_artifacts',
  {
    id: id(),
    userId: userId(),
    taskId: uuid('task_id')
      .notNull()
      .references(() => tasks.id, {onDelete: 'cascade'}),
    service: text('service').notNull(),
    handle: text('handle').notNull(),
    medium: text('medium', {enum: ['image', 'video', 'audio', 'text']}).notNull(),
    /** Absent for a text. */
    fileId: text('file_id').references(() => files.id, {onDelete: 'set null', onUpdate: 'cascade'}),
    previewFileId: text('preview_file_id').references(() => files.id, {onDelete: 'set null', onUpdate: 'cascade'}),
    /** The address at the provider: a pass-through names it so when it is worked on. */
    sourceUrl: text('source_url'),
  },
  (table) => [
    index('task_artifacts_task').on(table.taskId),
    index('task_artifacts_handle').on(table.userId, table.service, table.handle),
    index('task_artifacts_file').on(table.fileId),
    index('task_artifacts_preview').on(table.previewFileId),
  ],
)
