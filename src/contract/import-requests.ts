import {longestLabel, longestPreset, messageOutcomes, mostLabels} from './chat.ts'
import {
  importSources,
  longestThought,
  mostExported,
  mostImported,
  mostImportKeys,
  mostImportMessages,
} from './imports.ts'
import {brokenRule} from './rule.ts'
import {identifier, z} from './schema.ts'

/*
 * Bodies of the capability `import` (#contract/imports.ts), validated strictly by the server; but what a page of a newer
 * version adds to a conversation, a message or an error is left out (docs/decisions/0206).
 */

/** Unix seconds, with a fraction. */
const time = z.number().check(z.minimum(0), z.maximum(10_000_000_000))
const address = z.string().check(z.maxLength(4096))
const content = z.union([
  z.string().check(z.maxLength(1_000_000)),
  z
    .array(
      z.union([
        z.object({type: z.literal('text'), text: z.string().check(z.maxLength(1_000_000))}),
        z.object({type: z.literal('image_url'), image_url: address}),
        z.object({type: z.literal('file_url'), file_url: address}),
      ]),
    )
    .check(z.maxLength(200)),
])

const importedMessage = z.object({
  role: z.enum(['system', 'assistant', 'user']),
  content,
  /** Index of the message before it, among all messages of the conversation; an earlier one, or none. */
  parent: z.nullable(z.number().check(z.int(), z.minimum(0))),
  state: z.optional(z.enum(['finished', 'failed'])),
  outcome: z.optional(z.enum(messageOutcomes)),
  error: z.optional(
    z.object({
      code: z.string().check(z.maxLength(100)),
      message: z.optional(z.string().check(z.maxLength(4_000))),
    }),
  ),
  model: z.optional(z.string().check(z.maxLength(200))),
  sandbox: z.optional(z.boolean()),
  thought_ms: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(longestThought))),
  created_at: z.optional(time),
  /** When it last left the shown path: of versions the last one is shown again. */
  hidden_at: z.optional(time),
})

const importKeyRequest = {
  source: z.enum(importSources),
  source_id: z.string().check(z.minLength(1), z.maxLength(200)),
}

/** One conversation, or the part of a long one that begins with message `from`. */
export const importedConversation = z.object({
  ...importKeyRequest,
  title: z.optional(z.string().check(z.maxLength(400))),
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  preset: z.optional(z.string().check(z.maxLength(longestPreset))),
  created_at: z.optional(time),
  updated_at: z.optional(time),
  pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  labels: z.optional(
    z
      .array(
        z.string().check(
          z.maxLength(longestLabel),
          z.refine((name) => name.trim() !== '', brokenRule('ruleLabel')),
        ),
      )
      .check(z.maxLength(mostLabels)),
  ),
  /** Index of the last message on the shown path. */
  current: z.optional(z.number().check(z.int(), z.minimum(0))),
  from: z.number().check(z.int(), z.minimum(0)),
  /** Messages in all. */
  total: z.number().check(z.int(), z.minimum(1), z.maximum(mostImportMessages)),
  messages: z.array(importedMessage).check(z.minLength(1), z.maxLength(mostImportMessages)),
})
export type ImportedConversation = z.output<typeof importedConversation>
export type ImportedMessage = ImportedConversation['messages'][number]

export const importCommands = [
  /** Each conversation is read by itself, so that one that is refused leaves the others alone. */
  z.strictObject({
    action: z.literal('import'),
    items: z.array(z.record(z.string(), z.unknown())).check(z.minLength(1), z.maxLength(mostImported)),
  }),
  z.strictObject({
    action: z.literal('imported'),
    items: z.array(z.strictObject(importKeyRequest)).check(z.maxLength(mostImportKeys)),
  }),
  /** With all versions. Unknown ones are left out of the answer. */
  z.strictObject({
    action: z.literal('export'),
    ids: z.array(identifier).check(z.minLength(1), z.maxLength(mostExported)),
  }),
] as const
