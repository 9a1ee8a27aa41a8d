import {chatMessage, longestLabel, longestPreset, mostFollowed, mostLabelled, mostLabels, mostMarked} from './chat.ts'
import {importCommands} from './import-requests.ts'
import {batchFields} from './request-schema.ts'
import {brokenRule} from './rule.ts'
import {identifier, optional, z} from './schema.ts'

/*
 * Bodies of POST {api}/aichat/conversations, validated strictly by the server. They are separate from the answers, so
 * that the client, which only sends them, does not load the rules.
 */

const question = z.string().check(
  z.minLength(1),
  z.maxLength(400_000),
  z.refine((text) => text.trim() !== '', brokenRule('ruleQuestion')),
)
/** Addresses of the files of a question. */
const references = z.optional(z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(10)))
export const chatRequest = z.strictObject({
  action: z.optional(z.literal('chat')),
  question,
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  references,
  id: z.optional(identifier),
  /**
   * Capability `versions`: the question becomes a version of this question, or is answered again as a version of this
   * answer. The other versions and what follows them are kept.
   */
  version_of: z.optional(identifier),
  /**
   * Capability `paths`: the message that the question follows, also on a path that is not the current one. `version_of`
   * says more: beside it this has no effect.
   */
  after: z.optional(identifier),
  /**
   * Capability `answer-to`: the question of this conversation that is answered as it is, since it has no answer. Where
   * it has one that runs or is whole, this is the answer. `version_of` says more: beside it this has no effect.
   */
  answer_to: z.optional(identifier),
  /** The history is always stored (contract/chat §1). */
  stateful: z.optional(z.literal(true)),
  preset: z.optional(z.string().check(z.maxLength(longestPreset))),
  application_id: z.optional(identifier),
  user_id: z.optional(identifier),
})
export type ChatRequest = z.infer<typeof chatRequest>

const address = z.union([z.string(), z.strictObject({url: z.string()})])
/** A client may send back what it read; the server keeps its own. */
const size = z.optional(z.number())
const sentItem = z.union([
  z.strictObject({type: z.literal('text'), text: z.string()}),
  z.strictObject({type: z.literal('image_url'), image_url: address, size}),
  z.strictObject({type: z.literal('file_url'), file_url: address, size}),
])

/** A message in a sent history: the keys of an answer; any other key is a 400 that names it. */
const sentMessage = z.strictObject({
  ...chatMessage.shape,
  content: z.union([z.string(), z.array(sentItem)]),
  error: optional(z.strictObject({code: z.string(), message: optional(z.string())})),
})

const label = z.string().check(
  z.maxLength(longestLabel),
  z.refine((name) => name.trim() !== '', brokenRule('ruleLabel')),
)

export const chatCommand = z.union([
  /** Capability `paths`: with the id of any `message`, the path through it, which stays unchosen. */
  z.strictObject({action: z.literal('retrieve'), id: identifier, message: z.optional(identifier)}),
  z.strictObject(batchFields),
  /** Capability `revisions`: the revision of each conversation, by id, the newest first. */
  z.strictObject({action: z.literal('revisions')}),
  z.strictObject({
    action: z.literal('update'),
    id: identifier,
    title: z.optional(z.string().check(z.maxLength(400))),
    model: z.optional(z.string().check(z.maxLength(200))),
    /** Capability `preset`. Empty: none. */
    preset: z.optional(z.string().check(z.maxLength(longestPreset))),
    /** Replaces the stored history by a prefix of it, for edit and regenerate. */
    messages: z.optional(z.array(sentMessage).check(z.maxLength(5000))),
    /**
     * Capability `last`: the newest message the client knows. If the history has newer ones, it is not cut (409
     * `duplication`).
     */
    last: z.optional(identifier),
  }),
  z.strictObject({action: z.literal('delete'), id: identifier}),
  /** Capability `marks`: several at once, each as it is to be. Unknown ones are left out of the answer. */
  z.strictObject({
    action: z.literal('mark'),
    items: z
      .array(
        z.strictObject({
          id: identifier,
          pinned: z.optional(z.boolean()),
          archived: z.optional(z.boolean()),
          labels: z.optional(z.array(label).check(z.maxLength(mostLabels))),
        }),
      )
      .check(z.minLength(1), z.maxLength(mostMarked)),
  }),
  /**
   * Capability `labels`: takes labels off conversations and puts others on them, all in one transaction; the other
   * labels stay. Unknown conversations are left out of the answer, and so are those that would carry too many labels.
   */
  z.strictObject({
    action: z.literal('label'),
    items: z
      .array(
        z.strictObject({
          ids: z.array(identifier).check(z.minLength(1), z.maxLength(mostLabelled)),
          on: z.optional(z.array(label).check(z.maxLength(mostLabels))),
          off: z.optional(z.array(label).check(z.maxLength(mostLabels))),
        }),
      )
      .check(
        z.minLength(1),
        z.maxLength(mostMarked),
        z.refine((items) => items.reduce((sum, {ids}) => sum + ids.length, 0) <= mostLabelled),
      ),
  }),
  /** Capability `marks`: several at once; those that are gone already are no error. */
  z.strictObject({
    action: z.literal('delete_batch'),
    ids: z.array(identifier).check(z.minLength(1), z.maxLength(mostMarked)),
  }),
  z.strictObject({
    action: z.literal('resume'),
    id: identifier,
    message: identifier,
    attempt: z.number().check(z.int(), z.minimum(1)),
    last_seq: z.number().check(z.int(), z.minimum(0)),
  }),
  z.strictObject({
    action: z.literal('follow'),
    /** Positions in running answers the client has begun; other running answers start with their first delta. */
    answers: z.optional(
      z
        .array(
          z.strictObject({
            id: identifier,
            message: identifier,
            attempt: z.number().check(z.int(), z.minimum(1)),
            last_seq: z.number().check(z.int(), z.minimum(0)),
          }),
        )
        .check(z.maxLength(mostFollowed)),
    ),
  }),
  /** Capability `versions`: shows another version of a message, with what followed it last. */
  z.strictObject({action: z.literal('select'), id: identifier, message: identifier}),
  /** Capability `versions`: a version of a question without a new answer. Without `references` its files stay. */
  z.strictObject({action: z.literal('edit'), id: identifier, message: identifier, question, references}),
  /** Capability `versions`: deletes one message; what follows it stays. */
  z.strictObject({action: z.literal('remove'), id: identifier, message: identifier}),
  /**
   * Capability `versions`: a new conversation with the messages up to this one. Capability `branch-model`: of another
   * model; without a message it has none, and the instructions. Capability `branch-key`: the same `Idempotency-Key`
   * again is the same branch.
   */
  z.strictObject({
    action: z.literal('branch'),
    id: identifier,
    message: z.optional(identifier),
    model: z.optional(chatRequest.shape.model),
    title: z.optional(z.string().check(z.maxLength(400))),
  }),
  z.strictObject({action: z.literal('stop'), id: identifier, message: z.optional(identifier)}),
  ...importCommands,
])
export type ChatCommand = z.infer<typeof chatCommand>
