/** The meaning of a pattern, in words and for tools. */
export interface TextFormat {
  /** Completes "must be …". */
  readonly sentence: string
  /** A format that OpenAPI tools support (JSON Schema validation §7.3, OpenAPI format registry). */
  readonly format?: string
  readonly example: string
  /** The text is the decimal form of a number and is described as that number. */
  readonly isInteger?: true
}

/** All patterns of fields in the contract, by the source of their regular expression. */
const byPattern: Readonly<Record<string, TextFormat>> = {
  '^[1-9][0-9]{0,15}$': { sentence: 'a positive integer id', example: '30012', isInteger: true },
  '^([1-9][0-9]{0,15}(,[1-9][0-9]{0,15}){0,499})?$': {
    sentence: 'up to 500 ids, separated by commas',
    example: '30012,30013',
  },
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\+00:00$': {
    sentence: 'a UTC date-time such as 2026-11-21T09:30:00.000+00:00',
    format: 'date-time',
    example: '2026-11-21T09:30:00.000+00:00',
  },
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+ -]\\d\\d:?\\d\\d)$': {
    sentence: 'a date-time with an offset, such as 2026-11-21T09:30:00Z',
    format: 'date-time',
    example: '2026-11-21T09:30:00Z',
  },
  '^\\d{4}-\\d\\d-\\d\\d$': { sentence: 'a date such as 2026-11-21', format: 'date', example: '2026-11-21' },
  '^([01]\\d|2[0-3]):[0-5]\\d$': { sentence: 'a time of day such as 09:30', example: '09:30' },
  '^#[0-9a-fA-F]{6}$': { sentence: 'a color such as #1f6feb', example: '#1f6feb' },
  '^(\\d{1,3}\\.){3}\\d{1,3}\\/(3[0-2]|[12]?\\d)$': {
    sentence: 'an IPv4 network such as 192.168.1.0/24',
    example: '192.168.1.0/24',
  },
  '^((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)$': {
    sentence: 'an IPv4 address such as 192.168.1.64',
    format: 'ipv4',
    example: '192.168.1.64',
  },
  '^(?=[A-Za-z0-9])[A-Za-z0-9.-]{0,252}[A-Za-z0-9]$': {
    sentence: 'a host name or an IPv4 address',
    example: 'time.example.com',
  },
  '^[\\w-]{22}$': { sentence: 'the 22 characters behind # in a shared link', example: 'h5Xo2tqk0Qy7mS3vJ9dWbA' },
  '^[0-9a-fA-F]{64}$': {
    sentence: 'a SHA-256 hash of 64 hexadecimal digits',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  '^[A-Z]{2}$': { sentence: 'a country code of two capital letters (ISO 3166-1), such as US', example: 'US' },
  '^[a-z][a-z0-9]{0,30}$': {
    sentence: '1 to 31 lowercase letters and digits, beginning with a letter',
    example: 'north',
  },
  '^(cameras|exports|shares|devices|jobs|supportSessions)(,(cameras|exports|shares|devices|jobs|supportSessions)){0,5}$':
    {
      sentence:
        'cameras, exports, shares, devices, jobs and supportSessions, those that are wanted, separated by commas',
      example: 'cameras,exports',
    },
  '^[0-9]{1,15}$': { sentence: 'the id of a message of the stream', example: '2048' },
  '^[A-Za-z][A-Za-z0-9_]{0,63}$': { sentence: 'a name of letters, digits and underscores', example: 'gate' },
  '^[1-9][0-9]{0,14}-[0-9a-f]{32}$': {
    sentence: 'a recordingId from a list of recordings',
    example: '30012-6f1d0c5e9b7a42d38e0f5a6b7c8d9e0f',
  },
  '^([A-Za-z0-9]{1,16}(,[A-Za-z0-9]{1,16}){0,19})?$': {
    sentence: 'up to 20 types of addresses, separated by commas',
    example: 'mseWss',
  },
  '^[1-9][0-9]{1,3}$': { sentence: 'a number from 10 to 9999', example: '640' },
  '^[0-9]{1,6}$': { sentence: 'an integer below 1,000,000', example: '60' },
  '^[A-Za-z0-9_-]+$': { sentence: 'base64url text without padding', example: 'dGVzdA' },
  '^[A-Za-z0-9_-]+={0,2}$': { sentence: 'base64url text', example: 'dGVzdA==' },
  '^[0-9A-Za-z-]{1,64}$': { sentence: '1 to 64 letters, digits or hyphens', example: 'C-10482' },
  '^[0-9A-Za-z._:-]{1,64}$': { sentence: '1 to 64 letters, digits or one of ._:-', example: 'BW-2048' },
  '^[\\w-]{1,64}$': { sentence: '1 to 64 letters, digits, hyphens or underscores', example: 'window-1' },
  '^[\\x21-\\x7e]*$': { sentence: 'letters, digits and signs of ASCII without spaces', example: 'internet' },
  '^\\d{2,5}x\\d{2,5}$': { sentence: 'a resolution such as 1920x1080', example: '1920x1080' },
  '^[\\w.+-]{1,64}$': { sentence: '1 to 64 letters, digits or one of _.+-', example: '5.7.1' },
  '^[+-]?\\d{1,3}(\\.\\d{1,15})?$': { sentence: 'a number of degrees such as -73.98', example: '-73.98' },
  '^[ -~]{8,63}$': { sentence: '8 to 63 letters, digits, blanks and signs of ASCII', example: 'correct horse' },
  '^([0-9]|[1-9][0-9]|100)$': { sentence: 'a percentage from 0 to 100', example: '60', isInteger: true },
  '^\\d{1,3}$': { sentence: 'a number of up to 3 digits', example: '0' },
  '^[A-Za-z]{1,64}$': { sentence: 'a task name of 1 to 64 letters', example: 'sendMail' },
  '^([A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49})?$': {
    sentence: 'up to 50 names, separated by commas',
    example: 'postZone,deleteZone',
  },
  '^(https?:\\/\\/[^\\s"\'<>\\\\]+|\\/(?![/\\\\])[^\\s"\'<>\\\\]*)$': {
    sentence: 'a link that starts with https://, http:// or /',
    format: 'uri-reference',
    example: 'https://www.example.com/help',
  },
  '^(https:\\/\\/[^\\s"\'<>\\\\]+|\\/(?![/\\\\])[^\\s"\'<>\\\\]*|data:image\\/(png|jpeg|webp|x-icon)[;,][^\\s"\'<>\\\\]+)$':
    {
      sentence: 'an image: a link that starts with https:// or /, or a data: URL of a PNG, JPEG, WebP or icon',
      format: 'uri-reference',
      example: '/logo.png',
    },
}

/** Undefined if no field of the contract has that pattern. */
export const textFormat = (pattern: string): TextFormat | undefined => byPattern[pattern]
