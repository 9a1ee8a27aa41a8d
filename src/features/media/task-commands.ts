import {countMarks} from '#domain/favourites.ts'
import {mostFavourites} from '#domain/merge-favourites.ts'
import {selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {selectMarks} from '#machines/task-favourites/task-favourites.machine.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {selectSubmission} from '#machines/task-requests/task-requests.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import type {Media} from './media.context.ts'
import {safeUrl} from './media-url.ts'

type TaskDeps = {
  work: (card: Card) => string | undefined
  /** Asks whether the file of a result shall get a new address. */
  askToRenew: (file: {task: string; address: string}) => void
}

/** Creates the commands for a task that is there: look again, mark, download, renew, delete. */
export function createTaskCommands(media: Media, {work, askToRenew}: TaskDeps) {
  const {list, requests, favourites, provisioning} = media.actors
  /** Deletion is our own extension of the API. A task that the back end does not have needs no call. */
  const mayRemove = ({id, state}: Card) =>
    id === undefined ||
    state === 'gone' ||
    selectService(provisioning.getSnapshot())?.metadata?.capabilities?.includes('delete') === true
  const submissionOf = ({key}: Card) => selectSubmission(requests.getSnapshot(), key)
  const discard = (card: Card) => submissionOf(card)?.send({type: 'submission.discard'})
  const remove = (card: Card) => {
    if (!mayRemove(card)) return
    if (card.id === undefined) discard(card)
    else list.send({type: 'task.remove', id: card.id})
  }
  const renew = ({id: task, state, reading}: Card, index: number) => {
    const address = safeUrl(reading.artifacts[index]?.url)
    if (task === undefined || address === undefined || state !== 'succeeded') return undefined
    return media.renewal?.isOwn(address) === true ? () => askToRenew({task, address}) : undefined
  }
  const download = (card: Card, index?: number) => {
    loadPart(() => import('./save-file.ts'))
      .then(async ({filesOf, saveFile}) => {
        for (const {url, name} of filesOf(media.identity.id, card, work(card), index)) await saveFile(url, name)
      })
      .catch(() => media.notify({kind: 'error', textId: 'common.mediaDownloadFailed'}))
  }
  const setFavourite = ({id}: Card, isOn: boolean, index?: number) => {
    if (id === undefined) return
    if (isOn && countMarks(selectMarks(favourites.getSnapshot())) >= mostFavourites)
      return media.notify({kind: 'error', textId: 'common.mediaFavouritesFull', values: {count: mostFavourites}})
    const at = Math.round(media.now() * 1_000)
    favourites.send({type: 'favourite.set', id: index === undefined ? id : `${id}/${index}`, isOn, at})
  }
  return {
    mayRemove,
    remove,
    renew,
    download,
    setFavourite,
    discard,
    check: ({id}: Card) => list.send({type: 'task.check', ...(id === undefined ? {} : {id})}),
    sendAgain: (card: Card) => submissionOf(card)?.send({type: 'submission.retry'}),
  }
}
