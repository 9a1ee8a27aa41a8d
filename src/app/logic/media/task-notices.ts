import type {NewNotice} from '#machines/notices/notices.machine.ts'
import type {ShownFact} from '#machines/session/session.types.ts'
import {taskRemovalId} from '#machines/task-list/task-list.types.ts'
import type {RootDeps} from '../root-deps.ts'

/** The notice of a task or a tool; undefined where the screen itself tells. */
export const noticesOfTasks =
  ({tools, address}: Pick<RootDeps, 'tools' | 'address'>) =>
  (fact: ShownFact): NewNotice | undefined => {
    const {tool} = fact
    const values = {tool: tools.find(({id}) => id === tool)?.name ?? tool}
    switch (fact.type) {
      case 'task.settled': {
        // on the tool's own screen its card tells
        if (address().pathname.split('/')[1] === tool) return undefined
        const isDone = fact.status === 'succeeded'
        return {
          kind: isDone ? 'success' : 'error',
          textId: isDone ? 'index.taskDone' : 'index.taskFailed',
          values,
          href: `/${tool}#${fact.id}`,
        }
      }
      case 'task.removed':
        return {
          id: `removed/${fact.id}`,
          kind: 'info',
          textId: fact.isDue ? 'index.taskRemovedCharged' : 'index.taskRemoved',
          values,
          undo: {to: taskRemovalId(tool, fact.id), event: {type: 'removal.undo'}},
        }
      case 'task.removeFailed':
        return {kind: 'error', textId: 'index.taskRemoveFailed', values: {...values, code: fact.failure.code}}
      case 'task.unfound':
        return fact.failure.status === 404 ? gone(fact.id, values) : {kind: 'error', textId: 'common.mediaLoadFailed'}
      case 'task.gone':
        return gone(fact.id, values)
      case 'tool.unopened':
        return {kind: 'error', textId: 'common.mediaOpenFailed', values}
    }
  }

const gone = (id: string, values: {tool: string}): NewNotice => ({
  id: `gone/${id}`,
  kind: 'warning',
  textId: 'index.taskGone',
  values,
})
