import { describe, expect, test } from 'vitest'
import { csvTemplate, neutralized, parseCsv, readCameraFile, toCsv } from './camera-csv.ts'
import { emptyRow, emptyRows, isBlank, rowBody } from './camera-rows.ts'

describe('a CSV file', () => {
  test('is read with commas or semicolons, quotes, and the line ends of every system', () => {
    expect(parseCsv('a,b\r\n"x, ""y""",2\n')).toEqual([
      ['a', 'b'],
      ['x, "y"', '2'],
    ])
    expect(parseCsv('\uFEFFname;address\nDoor;10.0.0.1\n\n')).toEqual([
      ['name', 'address'],
      ['Door', '10.0.0.1'],
    ])
    expect(parseCsv('')).toEqual([])
  })

  test('the template can be imported as it is', () => {
    const file = readCameraFile(csvTemplate())
    expect(file).toMatchObject({
      kind: 'rows',
      problems: [],
      rows: [{ name: 'Front door', address: '192.168.1.64', username: 'viewer', password: 'password' }],
    })
  })

  test('columns may be in any order, and unknown ones are ignored', () => {
    const file = readCameraFile('Address,Floor,Name,HTTPS\n10.0.0.1,2,Door,yes\n')
    expect(file).toMatchObject({ kind: 'rows', rows: [{ name: 'Door', address: '10.0.0.1', https: 'yes' }] })
  })

  test('without its columns, or without cameras, it says so', () => {
    expect(readCameraFile('name,host\nDoor,10.0.0.1\n')).toEqual({ kind: 'noColumns' })
    expect(readCameraFile('name,address\n')).toEqual({ kind: 'noRows' })
  })

  test('what is wrong is named with its line before anything is sent', () => {
    const file = readCameraFile('name,address,port\nDoor,10.0.0.1,\nGate,rtsp://10.0.0.2,99999\n')
    expect(file.kind === 'rows' && file.problems).toEqual([
      { line: 3, message: 'Enter the IP address or host name only, such as 192.168.1.64' },
      { line: 3, message: 'Enter a port from 1 to 65535' },
    ])
  })

  test('formulas are neutralized in what is written, and the apostrophe is taken away again', () => {
    expect(neutralized('=1+1')).toBe("'=1+1")
    const file = readCameraFile(
      toCsv([
        ['name', 'address'],
        ['=HYPERLINK("x")', '10.0.0.1'],
      ]),
    )
    expect(file).toMatchObject({ rows: [{ name: '=HYPERLINK("x")' }] })
    expect(toCsv([['=HYPERLINK("x")']])).toBe('"\'=HYPERLINK(""x"")"\r\n')
  })
})

describe('several cameras', () => {
  test('begin with five rows, and empty ones are not sent', () => {
    expect(emptyRows()).toHaveLength(5)
    expect(emptyRows().every(isBlank)).toBe(true)
    expect(isBlank({ ...emptyRow(), name: 'Door' })).toBe(false)
  })

  test('a row without credentials of its own has those of all', () => {
    const row = { ...emptyRow(), name: 'Door', address: '10.0.0.1' }
    const shared = { username: 'viewer', password: 'secret' }
    expect(rowBody(row, shared)).toEqual({ name: 'Door', address: '10.0.0.1', ...shared })
    expect(rowBody({ ...row, username: 'own', password: 'p' }, shared)).toMatchObject({
      username: 'own',
      password: 'p',
    })
    expect(rowBody(row, { username: '', password: '' })).toEqual({ name: 'Door', address: '10.0.0.1' })
  })
})
