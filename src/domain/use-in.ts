import type {Artifact, ToolIdentity, ToolInput} from '#contract/media/media-tool.ts'
import type {ModelGroup} from '#contract/models.ts'

/*
 * "Use in…": which tool, in which role, can take a result. The table is made of the tools' own `inputs`; chats take
 * texts as questions and, where a model of theirs reads pictures, pictures as attachments.
 */

export type UseTarget =
  /** `more`: the files that go with the first, in their order. */
  | {kind: 'tool'; tool: string; input: ToolInput; value: string; more?: readonly string[]}
  /** A file for a chat of a model that reads pictures, or a text for its composer. */
  | {
      kind: 'chat'
      group: ModelGroup
      name: string
      as: 'attachment' | 'question'
      value: string
      more?: readonly string[]
    }

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
export function targetsOf(
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

/** Files that a chat takes with one question. */
const mostAttachments = 10

/** Everything that all of these files can be used in together, in their order; one goes where one goes. */
export function targetsOfSeveral(
  identities: readonly ToolIdentity[],
  chatGroups: readonly ChatOffer[],
  files: readonly {url: string; medium: Artifact['medium']}[],
): UseTarget[] {
  const [first, ...rest] = files
  if (first === undefined || rest.some(({medium}) => medium !== first.medium)) return []
  const more = rest.map(({url}) => url)
  return targetsOf(identities, chatGroups, first)
    .filter((target) => files.length <= (target.kind === 'tool' ? Math.max(1, target.input.most) : mostAttachments))
    .map((target) => (more.length === 0 ? target : {...target, more}))
}

/** The values of a form that takes the results: a list keeps what it has, the newest stay when it is full. */
export function usedValues(
  form: Readonly<Record<string, unknown>>,
  {field, most, set}: ToolInput,
  ...values: readonly [string, ...string[]]
): Record<string, unknown> {
  if (most <= 1) return {...set, [field]: values[0]}
  const before = form[field]
  const kept = Array.isArray(before)
    ? before.filter((item): item is string => typeof item === 'string' && !values.includes(item))
    : []
  return {...set, [field]: [...kept, ...values].slice(-most)}
}
