/** What a recorder serves by HTTP beside its ONVIF services. */

const START_OF_IMAGE = 2

/** A snapshot of one input of a recorder: the same picture with the number of the input as a comment (ITU-T T.81 §B.2.4.5). */
export function numberedSnapshot(picture: Buffer, input: number): Buffer {
  const text = Buffer.from(`input ${input}`)
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([picture.subarray(0, START_OF_IMAGE), head, text, picture.subarray(START_OF_IMAGE)])
}

export interface SimulatedDisk {
  /** MiB. */
  readonly capacity: number
  readonly free: number
  /** In the words of ISAPI; `ok` by default. */
  readonly status?: string
}

/** The list of disks as ISAPI has it. */
export function diskList(disks: readonly SimulatedDisk[]): string {
  const each = disks.map(
    ({ capacity, free, status = 'ok' }, at) =>
      `<hdd><id>${at + 1}</id><hddName>hdd${at + 1}</hddName><hddType>SATA</hddType><status>${status}</status>` +
      `<capacity>${capacity}</capacity><freeSpace>${free}</freeSpace><property>RW</property></hdd>`,
  )
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<storage version="2.0" xmlns="http://www.isapi.org/ver20/XMLSchema">' +
    `<hddList version="2.0" size="8">${each.join('')}</hddList></storage>`
  )
}
