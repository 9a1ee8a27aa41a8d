import type {UseTarget} from '#domain/use-in.ts'
import {useText, type Text} from '#ui/text.tsx'

/** What a place is called where a result can go, and in which role. */
export type TargetName = {name: string; role: string}

export type UseTargetsProps = {
  targets: readonly UseTarget[]
  /** Of a tool, in its own words. */
  targetName: (target: Extract<UseTarget, {kind: 'tool'}>) => TargetName
  onUseIn: (target: UseTarget) => void
}

export const nameOfTarget = (text: Text, target: UseTarget, targetName: UseTargetsProps['targetName']): TargetName =>
  target.kind === 'tool'
    ? targetName(target)
    : {
        name: target.name,
        role: text(target.as === 'attachment' ? 'common.mediaAsAttachment' : 'common.mediaAsQuestion'),
      }

export const keyOfTarget = (target: UseTarget): string =>
  target.kind === 'tool'
    ? `${target.tool}/${target.input.field}/${target.input.label}`
    : `chat/${target.group}/${target.as}`

/** The tools and chats that can take a result, as buttons. */
export function UseTargets({
  targets,
  targetName,
  onUseIn,
  className,
}: UseTargetsProps & {className?: string | undefined}) {
  const text = useText()
  return targets.map((target) => {
    const {name, role} = nameOfTarget(text, target, targetName)
    return (
      <button key={keyOfTarget(target)} type="button" className={className} onClick={() => onUseIn(target)}>
        {text('common.mediaUseInTool', {tool: name})}
        <small>{role}</small>
      </button>
    )
  })
}
