import type {Artifact, ToolIdentity, ToolInput} from '#contract/media/media-tool.ts'
import type {ModelGroup} from '#contract/models.ts'

/*
 * "Use in…": which tool, in which role, can take a result. The table is made of the tools' own `inputs`; chats take
 * texts as questions and, where a model of theirs reads pictures, pictures as attachments.
 */

export type UseTarget =
  | {kind: 'tool'; tool: string; input: ToolInput; value: string}
  /** A file for a chat of a model that reads pictures, or a text for its composer. */
  | {kind: 'chat'; group: ModelGroup; name: string; as: 'attachment' | 'question'; value: string}

/** A group of chats that the site offers. `takesImages`: one of its models is served and reads pictures. */
export type ChatOffer = {group: ModelGroup; name: string; takesImages: boolean}

type Offered = {medium: Artifact['medium']; value: string; isPrompt: boolean}

/** What a result has to give: its file, and its words. The lyric of a song is no prompt. */
function offersOf({medium, url, text}: Artifact): Offered[] {
  const words =
    text === undefined || text.trim() === ''
      ? []
      : [{medium: 'text' as const, value: text, isPrompt: medium === 'text'}]
  const file = url === undefined || medium === 'text' ? [] : [{medium, value: url, isPrompt: true}]
  return [...file, ...words]
}

/** Everything a result can be used in, in the order of the tools. */
export function useTargets(
  identities: readonly ToolIdentity[],
  chatGroups: readonly ChatOffer[],
  artifact: Artifact,
): UseTarget[] {
  const offers = offersOf(artifact)
  const tools = identities.flatMap(({id, inputs}) =>
    offers.flatMap(({medium, value, isPrompt}) =>
      inputs
        .filter((input) => input.medium === medium && (isPrompt || input.field !== 'prompt'))
        .map((input): UseTarget => ({kind: 'tool', tool: id, input, value})),
    ),
  )
  const chats = offers.flatMap(({medium, value}) =>
    chatGroups.flatMap(({group, name, takesImages}): UseTarget[] =>
      medium === 'image' && takesImages
        ? [{kind: 'chat', group, name, as: 'attachment', value}]
        : medium === 'text'
          ? [{kind: 'chat', group, name, as: 'question', value}]
          : [],
    ),
  )
  return [...tools, ...chats]
}

/** The values of a form that takes the result: a list keeps what it has, the newest stay when it is full. */
export function usedValues(
  form: Readonly<Record<string, unknown>>,
  {field, most, set}: ToolInput,
  value: string,
): Record<string, unknown> {
  if (most <= 1) return {...set, [field]: value}
  const before = form[field]
  const kept = Array.isArray(before)
    ? before.filter((item): item is string => typeof item === 'string' && item !== value)
    : []
  return {...set, [field]: [...kept, value].slice(-most)}
}
