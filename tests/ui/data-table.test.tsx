import {cleanup, render, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useState} from 'react'
import {afterEach, expect, test} from 'vitest'
import {DataTable, type TableColumn} from '#ui/table/data-table.tsx'
import type {Sort} from '#ui/table/sorting.ts'
import {onPhone} from './on-phone.ts'
import {TextProvider} from './render.tsx'

afterEach(cleanup)

type Row = {id: string}
const columns: TableColumn<Row>[] = [
  {id: 'name', label: 'Name', isName: true, cell: ({id}) => id},
  {id: 'price', label: 'Price', align: 'end', sort: {key: 'price', kind: 'amount'}, cell: () => '1'},
  {id: 'end', label: 'Ends', sort: {key: 'ended_at', kind: 'time', first: 'ascending'}, cell: () => 'soon'},
]
const created: TableColumn<Row> = {
  id: 'created',
  label: 'Created',
  sort: {key: 'created_at', kind: 'created'},
  cell: () => 'now',
}
const initial: Sort = {key: 'created_at', direction: 'descending'}

function List({columns: shown, chosen}: {columns: readonly TableColumn<Row>[]; chosen: Sort[]}) {
  const [sort, setSort] = useState(initial)
  const onSort = (next: Sort) => {
    chosen.push(next)
    setSort(next)
  }
  return (
    <DataTable
      label="Rows"
      columns={shown}
      rows={[{id: 'foo'}]}
      keyOf={({id}) => id}
      sorting={{sort, initial, onSort}}
    />
  )
}

/** The orders that were chosen, in turn. */
function show(shown: readonly TableColumn<Row>[] = columns) {
  const chosen: Sort[] = []
  render(
    <TextProvider>
      <List columns={shown} chosen={chosen} />
    </TextProvider>,
  )
  return chosen
}

const sortOf = (name: string) => screen.getByRole('columnheader', {name}).getAttribute('aria-sort')

test('a heading sorts by Enter: the highest first, the lowest first, then the order of before', async () => {
  const chosen = show()
  expect(sortOf('Price')).toBeNull()
  screen.getByRole('button', {name: 'Price'}).focus()
  await userEvent.keyboard('{Enter}')
  expect(sortOf('Price')).toBe('descending')
  await userEvent.keyboard('{Enter}')
  expect(sortOf('Price')).toBe('ascending')
  await userEvent.keyboard('{Enter}')
  expect(sortOf('Price')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', {name: 'Price'}))
  expect(chosen).toEqual([{key: 'price', direction: 'descending'}, {key: 'price', direction: 'ascending'}, initial])
})

test('what ends soonest stands first; another column leaves the one before', async () => {
  show()
  await userEvent.click(screen.getByRole('button', {name: 'Price'}))
  await userEvent.click(screen.getByRole('button', {name: 'Ends'}))
  expect([sortOf('Price'), sortOf('Ends')]).toEqual([null, 'ascending'])
})

test('the column of the initial order turns it around and back', async () => {
  const chosen = show([...columns, created])
  expect(sortOf('Created')).toBe('descending')
  const heading = screen.getByRole('button', {name: 'Created'})
  await userEvent.click(heading)
  await userEvent.click(heading)
  expect(chosen).toEqual([{key: 'created_at', direction: 'ascending'}, initial])
})

test('columns without an order have no button, nor has a table whose order cannot be chosen', () => {
  show()
  expect(screen.queryByRole('button', {name: 'Name'})).toBeNull()
  cleanup()
  render(
    <TextProvider>
      <DataTable label="Rows" columns={columns} rows={[]} keyOf={({id}) => id} />
    </TextProvider>,
  )
  expect(screen.queryByRole('button')).toBeNull()
})

test('on a phone a list names each order, and the initial one', async () => {
  onPhone()
  const chosen = show()
  const select = screen.getByRole('combobox', {name: 'Sort'})
  expect(screen.getAllByRole('option').map(({textContent}) => textContent)).toEqual([
    'Newest first',
    'Price: highest first',
    'Price: lowest first',
    'Ends: latest first',
    'Ends: earliest first',
  ])
  await userEvent.selectOptions(select, 'Price: lowest first')
  expect(select).toHaveProperty('value', '2')
  await userEvent.selectOptions(select, 'Newest first')
  expect(chosen).toEqual([{key: 'price', direction: 'ascending'}, initial])
})

test('on a phone a list with a column for the time of making names that once', () => {
  onPhone()
  show([created])
  expect(screen.getAllByRole('option').map(({textContent}) => textContent)).toEqual(['Newest first', 'Oldest first'])
})

test('on a phone a row is a card of two lines: name and amount, then the facts and its actions', () => {
  onPhone()
  show([
    {id: 'name', label: 'Name', isName: true, cell: () => 'a long name with its id', cardCell: ({id}) => id},
    {id: 'price', label: 'Price', card: 'end', cell: () => '1'},
    {id: 'state', label: 'State', card: 'plain', cell: () => 'paid'},
    {id: 'used', label: 'Used', cell: () => '2'},
    {id: 'kind', label: 'Kind', card: 'none', cell: () => 'usage'},
    {id: 'host', label: 'Host', card: 'plain', cell: () => 'here', cardCell: () => null},
    {id: 'actions', label: 'Actions', isActions: true, cell: () => <button type="button">Add</button>},
  ])
  const [first, second] = screen.getByRole('listitem').children
  expect(first?.textContent).toBe('fooPrice 1')
  expect(second?.textContent).toBe('State paidUsed 2Add')
  expect(screen.getByText('State').className).toBe('visually-hidden')
  expect(screen.getByText('Used').className).not.toBe('visually-hidden')
  expect(screen.queryByText(/usage|here|Host/)).toBeNull()
})

test('on a phone the link of a card is the one that its column has for cards', () => {
  onPhone()
  show([
    {id: 'name', label: 'Name', isName: true, cell: ({id}) => id},
    {
      id: 'actions',
      label: 'Actions',
      isActions: true,
      card: 'cover',
      cell: () => <a href="/foo">View</a>,
      cardCell: () => <a href="/foo">›</a>,
    },
  ])
  expect(screen.getAllByRole('link').map(({textContent}) => textContent)).toEqual(['›'])
})
