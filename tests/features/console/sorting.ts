import type {Sorting} from '#ui/table/sorting.ts'

/** The order for tests in which no other one is chosen. */
export const newestFirst: Sorting = {
  sort: {key: 'created_at', direction: 'descending'},
  initial: {key: 'created_at', direction: 'descending'},
  onSort: () => {
    throw new Error('No order is chosen here')
  },
}
