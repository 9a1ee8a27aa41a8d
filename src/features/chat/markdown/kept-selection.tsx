import {Component, type ReactNode} from 'react'
import {keepAllSelected, selectAllAgain} from './keep-selection.ts'

type WordSelection = ReturnType<typeof keepAllSelected>

/**
 * Keeps selected words of a message selected while the message grows: React writes a text that has grown anew, at
 * which the browser drops its selection. A class, since no hook runs before the page changes.
 */
export class KeptSelection extends Component<{children: ReactNode}> {
  override getSnapshotBeforeUpdate(): WordSelection | null {
    return keepAllSelected() ?? null
  }
  override componentDidUpdate(_props: unknown, _state: unknown, selection: WordSelection | null): void {
    selectAllAgain(selection ?? undefined)
  }
  override render(): ReactNode {
    return this.props.children
  }
}
