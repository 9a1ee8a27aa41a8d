import {readEnded} from '#domain/ended-task.ts'
import type {CommandEntry, CommandGroup} from '#features/shell/commands/command-entry.ts'
import type {Tool} from '#features/shell/tools.ts'
import {selectEnded, selectTray} from '#machines/tasks/tasks.selectors.ts'
import type {MediaTools} from '../media/media-tools.types.ts'
import {toolIcon, type Making} from './page-commands.tsx'

/** Running tasks and the last ended ones, of all tools. */
export function taskGroup({text, go}: Making, media: MediaTools, tools: readonly Tool[]): CommandGroup {
  const toolOf = (id: string) => tools.find((tool) => tool.id === id)
  const nameOf = (id: string) => toolOf(id)?.name ?? id
  const entry = (tool: string, id: string, prompt: string): CommandEntry => ({
    id: `task/${tool}/${id}`,
    label: prompt || nameOf(tool),
    note: nameOf(tool),
    icon: toolIcon(toolOf(tool) ?? {group: 'image'}),
    run: () => go(`/${tool}#${id}`),
  })
  const tasks = media.tasks()?.getSnapshot()
  const running = tasks === undefined ? [] : selectTray(tasks)
  const storedEnds = [...media.storedEnds()].map(([tool, ends]) => [tool, readEnded(ends)] as const)
  const endsByTool = new Map([...storedEnds, ...Object.entries(tasks === undefined ? {} : selectEnded(tasks))])
  return {
    id: 'tasks',
    heading: text('index.tasks'),
    entries: [
      ...running.map(({tool, id, key, prompt}) => entry(tool, id ?? key, prompt)),
      ...[...endsByTool]
        .flatMap(([tool, ends]) => ends.map((end) => ({tool, ...end})))
        .sort((one, other) => other.endedAt - one.endedAt)
        .map(({tool, id, prompt}) => entry(tool, id, prompt)),
    ],
  }
}
