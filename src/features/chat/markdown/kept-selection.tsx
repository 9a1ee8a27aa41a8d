import {Component, type ReactNode} from 'react'
import {selectAgain, selectedWords} from './keep-selection.ts'

type WordSelection = ReturnType<typeof selectedWords>

/**
 * What is selected in the words of a message stays selected while they grow: React writes a text that has grown anew,
 * at which the browser selects nothing of it any more. A class, since no hook runs before the page changes.
 */
export class KeptSelection extends Component<{children: ReactNode}> {
  override getSnapshotBeforeUpdate(): WordSelection | null {
    return selectedWords() ?? null
  }
  override componentDidUpdate(_props: unknown, _state: unknown, selection: WordSelection | null): void {
    if (selection) selectAgain(selection)
  }
  override render(): ReactNode {
    return this.props.children
  }
}
