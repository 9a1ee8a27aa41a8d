import {useSelector} from '@xstate/react'
import {useEffect, useState, useSyncExternalStore} from 'react'
import {createFavouriteModelsApi} from '#api/favourite-models.ts'
import type {ModelChoiceProps} from '#features/chat/model-catalogue.ts'
import type {SearchWords} from '#features/chat/matching-models.ts'
import {ModelOverlay} from '#features/chat/model-overlay.tsx'
import {enabledTools} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {otherWords} from '../commands/other-words.ts'
import {englishWords} from '../english-words.ts'
import {createFavouriteModels} from './favourite-models.ts'
import {useSearchWords} from './use-search-words.ts'

const ofOthers = /^words\.(.+)/

/** English words, and those that users of a language type. */
async function readWords(locale: string): Promise<SearchWords> {
  const [english, others] = await Promise.all([englishWords(['thread']), otherWords(locale)])
  return (id) => {
    const other = ofOthers.exec(id)?.[1]
    return other === undefined ? english(id) : others(other)
  }
}

/** Offers models; those that the user marked come first. */
export function ModelChoice(props: ModelChoiceProps) {
  const {state, services, capabilities} = useAppInfo()
  const [favourites] = useState(() => {
    const serverFavourites = capabilities.includes('favourite-models')
      ? services.client(createFavouriteModelsApi)
      : undefined
    return createFavouriteModels({state, now: Date.now, kept: serverFavourites})
  })
  const {open} = props
  // each time it opens, another device may have marked some
  useEffect(() => {
    if (open) void favourites.meet()
  }, [open, favourites])
  const names = useSyncExternalStore(favourites.subscribe, favourites.get)
  const searchWords = useSearchWords(readWords)
  const features = useSelector(useAppActor('site'), selectSite)?.features
  const groups = enabledTools(features).flatMap((tool) => (tool.group === 'chat' ? [tool.id] : []))
  return <ModelOverlay {...props} {...{groups, searchWords}} favourites={names} onFavourite={favourites.mark} />
}
