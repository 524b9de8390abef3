import { useMemo, useState } from 'react'
import { Avatar, Badge, Button, EmptyState, IconButton } from '../src/index.ts'
import {
  type Column,
  DataTable,
  FilterList,
  FilterMenu,
  type RowKey,
  useRowsInHand,
  useRowsPerPage,
} from '../src/table/index.ts'

/** A user in the gallery's tables. */
interface Person {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly cameras: number
  readonly blocked: boolean
  /** `yyyy-mm-dd`; null if they have never signed in. */
  readonly lastLogin: string | null
}

const firstNames = ['Ada', 'Grace', 'Björn', 'Chiara', 'Şule', 'Łukasz', 'Yuki', 'Inês', 'Noor', 'Søren']
const lastNames = ['Lovelace', 'Hopper', 'Ångström', 'Rossi', 'Yılmaz', 'Nowak', 'Tanaka', 'Ferreira', 'de Vries']

const of = (names: readonly string[], index: number): string => names[index % names.length] ?? ''

/** That many users, always the same ones. */
const people = (count: number): readonly Person[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    firstName: of(firstNames, index * 7),
    lastName: of(lastNames, index * 5),
    email: `person.${index + 1}@example.com`,
    cameras: (index * 37) % 200,
    blocked: index % 11 === 3,
    lastLogin: index % 5 === 4 ? null : `2026-11-${String((index % 20) + 1).padStart(2, '0')}`,
  }))

const nameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`

const columns: readonly Column<Person>[] = [
  {
    key: 'name',
    header: 'Name',
    width: '30%',
    sortBy: nameOf,
    cell: (person) => (
      <span className="inline-flex items-center gap-3">
        <Avatar firstName={person.firstName} lastName={person.lastName} />
        {nameOf(person)}
      </span>
    ),
  },
  { key: 'email', header: 'Email address', minor: true, sortBy: (person) => person.email, cell: ({ email }) => email },
  {
    key: 'state',
    header: 'State',
    width: '7rem',
    sortBy: (person) => person.blocked,
    cell: ({ blocked }) => (blocked ? <Badge mood="danger">Blocked</Badge> : <Badge mood="success">Active</Badge>),
  },
  { key: 'cameras', header: 'Cameras', width: '7rem', align: 'end', sortBy: (p) => p.cameras, cell: (p) => p.cameras },
  { key: 'seen', header: 'Last signed in', width: '9rem', sortBy: (p) => p.lastLogin, cell: (p) => p.lastLogin ?? '–' },
]

const cities = ['Amsterdam', 'Berlin', 'Lisbon', 'Madrid', 'Osaka', 'Ankara', 'Warsaw', 'Utrecht', 'Porto']

/** A client-side table with all its features. */
export function PeopleTable({ count }: { count: number }) {
  const rows = useMemo(() => people(count), [count])
  const [perPage, setPerPage] = useRowsPerPage('gallery')
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const [state, setState] = useState<'active' | 'blocked'>()
  const [towns, setTowns] = useState<ReadonlySet<string>>(new Set())
  const filter = useMemo(
    () =>
      state === undefined
        ? undefined
        : { passes: (person: Person) => person.blocked === (state === 'blocked'), onClear: () => setState(undefined) },
    [state],
  )
  const view = useRowsInHand({ rows, columns, rowsPerPage: perPage, onRowsPerPage: setPerPage, filter })
  return (
    <DataTable
      label="Users"
      columns={columns}
      view={view}
      rowKey={(person) => person.id}
      rowName={nameOf}
      rowHref={(person) => `#user-${person.id}`}
      rowMenu={() => [
        { label: 'Block', icon: 'block' },
        { label: 'Delete', icon: 'trash', danger: true },
      ]}
      selection={{ selected, onChange: setSelected }}
      bulkActions={<Button variant="danger">Delete</Button>}
      searchLabel="Search users"
      filters={
        <>
          <FilterMenu
            label="State"
            value={state}
            onChange={setState}
            choices={[
              { value: 'active', label: 'Active' },
              { value: 'blocked', label: 'Blocked' },
            ]}
          />
          <FilterList
            label="Town"
            searchLabel="Search towns"
            options={cities.map((city) => ({ value: city, label: city }))}
            chosen={towns}
            onChange={setTowns}
            summary={(chosen) => `${chosen} towns`}
          />
        </>
      }
      tools={<IconButton icon="print" label="Print" onClick={() => window.print()} />}
      empty={<EmptyState icon="users" title="No users yet" />}
    />
  )
}

/** Tables without rows in each state, and one with server pages without a total. */
export function OtherTables() {
  const shared = { label: 'Others', columns, rowKey: (person: Person) => person.id, rowName: nameOf }
  const view = { rowsPerPage: 10, onRowsPerPage: () => undefined, narrowed: false } as const
  const empty = <EmptyState icon="users" title="No users yet" action={<Button icon="plus">Add a user</Button>} />
  const noTry = <EmptyState icon="warning" title="Couldn't load this page" action={<Button>Try again</Button>} />
  const rows = people(3)
  return (
    <div className="space-y-6">
      <DataTable {...shared} label="On its way" view={{ ...view, rows: undefined }} empty={empty} />
      <DataTable {...shared} label="Nothing there" view={{ ...view, rows: [] }} empty={empty} />
      <DataTable
        {...shared}
        label="Nothing found"
        view={{ ...view, rows: [], narrowed: true, onClear: () => undefined }}
        empty={empty}
      />
      <DataTable {...shared} label="Failed" view={{ ...view, rows: undefined }} empty={empty} failed={noTry} />
      <DataTable
        {...shared}
        label="From a server"
        view={{ ...view, rows, first: 10, onPrevious: () => undefined, rowsPerPageChoices: [10, 25, 50, 100] }}
        empty={empty}
      />
    </div>
  )
}
