import {Fragment} from 'react'
import type {MediaGroup} from '#contract/media/media-tool.ts'
import type {UseTarget} from '#domain/use-targets.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {useText, type Text} from '#ui/text.tsx'

/** The name of a target where a result can go, its role there, and the group of tools it is of. */
export type TargetName = {name: string; role: string; group: TargetGroup}
export type TargetGroup = 'chat' | MediaGroup

const targetGroups = ['chat', 'image', 'video', 'music'] as const satisfies readonly TargetGroup[]

export type UseTargetsProps = {
  targets: readonly UseTarget[]
  /** Names a tool, in its own words. */
  targetName: (target: Extract<UseTarget, {kind: 'tool'}>) => TargetName
  onUseIn: (target: UseTarget) => void
}

const nameOfTarget = (text: Text, target: UseTarget, targetName: UseTargetsProps['targetName']): TargetName =>
  target.kind === 'tool'
    ? targetName(target)
    : {
        name: target.name,
        group: 'chat',
        role: text(target.as === 'attachment' ? 'common.mediaAsAttachment' : 'common.mediaAsQuestion'),
      }

const keyOfTarget = (target: UseTarget): string =>
  target.kind === 'tool'
    ? `${target.tool}/${target.input.field}/${target.input.label}`
    : `chat/${target.group}/${target.as}`

/** The targets under the groups of the rail, in its order. A group without any is left out. */
function groupedTargets(text: Text, targets: readonly UseTarget[], targetName: UseTargetsProps['targetName']) {
  const namedTargets = targets.map((target) => ({target, ...nameOfTarget(text, target, targetName)}))
  return targetGroups.flatMap((id) => {
    const entries = namedTargets.filter(({group}) => group === id)
    return entries.length === 0 ? [] : [{id, label: text(`index.${id}`), entries}]
  })
}

/** The targets as entries of a menu, under the names of their groups. `use`: what is done with what goes there. */
export const targetEntries = (
  text: Text,
  targets: readonly UseTarget[],
  targetName: UseTargetsProps['targetName'],
  go: (target: UseTarget) => void,
  use?: string,
): MenuEntry[] =>
  groupedTargets(text, targets, targetName).map(({id, label, entries}) => ({
    kind: 'group',
    id,
    label,
    items: entries.map(({target, name, role}) => ({
      id: keyOfTarget(target),
      label: name,
      description: role,
      use,
      onSelect: () => go(target),
    })),
  }))

type UseTargetListProps = UseTargetsProps & {
  className?: string | undefined
  /** One level under the heading that it stands below. */
  Heading: 'h3' | 'h4'
}

/** The tools and chats that can take a result, as buttons under the names of their groups. */
export function UseTargets({targets, targetName, onUseIn, className, Heading}: UseTargetListProps) {
  const text = useText()
  return groupedTargets(text, targets, targetName).map(({id, label, entries}) => (
    <Fragment key={id}>
      <Heading>{label}</Heading>
      {entries.map(({target, name, role}) => (
        <button key={keyOfTarget(target)} type="button" className={className} onClick={() => onUseIn(target)}>
          {text('common.mediaUseInTool', {tool: name})}
          <small>{role}</small>
        </button>
      ))}
    </Fragment>
  ))
}
