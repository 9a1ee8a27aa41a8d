import {favouriteModels} from '#contract/favourite-models.ts'
import {base, createManagementCalls, type ManagementDeps} from './management-calls.ts'

type Marks = Readonly<Record<string, number>>

const path = `${base}/favourite-models`

/**
 * The models that a user marked: ours, only if the page's configuration offers `favourite-models`. Calls reject with an
 * `ApiError`.
 */
export const createFavouriteModelsApi = (deps: ManagementDeps) => {
  const {send} = createManagementCalls(deps)
  return {
    read: async (): Promise<Marks> => (await send({method: 'get', path, answer: favouriteModels})).marks,
    /** Adds presses; gives all that are kept then. */
    add: async (marks: Marks): Promise<Marks> =>
      (await send({method: 'put', path, body: {marks}, answer: favouriteModels})).marks,
  }
}
export type FavouriteModelsApi = ReturnType<typeof createFavouriteModelsApi>
