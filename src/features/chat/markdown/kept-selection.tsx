import {Component, createContext, type ReactNode} from 'react'
import {keepAllSelected, selectAllAgain, type SelectionKeeping} from './keep-selection.ts'

type WordSelection = ReturnType<typeof keepAllSelected>

/** Belongs to the message around. */
export const MessageSelection = createContext<SelectionKeeping>({isAllKept: false})

/**
 * Keeps selected words of a message selected while the message grows: React writes a text that has grown anew, at
 * which the browser drops its selection. A class, since no hook runs before the page changes.
 */
export class KeptSelection extends Component<{children: ReactNode}> {
  private readonly keeping: SelectionKeeping = {isAllKept: false}
  override getSnapshotBeforeUpdate(): WordSelection | null {
    return keepAllSelected(this.keeping) ?? null
  }
  override componentDidUpdate(_props: unknown, _state: unknown, selection: WordSelection | null): void {
    selectAllAgain(this.keeping, selection ?? undefined)
  }
  override render(): ReactNode {
    return <MessageSelection value={this.keeping}>{this.props.children}</MessageSelection>
  }
}
