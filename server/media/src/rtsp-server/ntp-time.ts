const SECONDS_1900_TO_1970 = 2_208_988_800

/** Eight bytes of NTP time; `time` in milliseconds since 1970. */
export function writeNtp(bytes: Buffer, at: number, time: number): void {
  const seconds = Math.floor(time / 1000)
  bytes.writeUInt32BE((seconds + SECONDS_1900_TO_1970) % 2 ** 32, at)
  bytes.writeUInt32BE(Math.floor(((time - seconds * 1000) / 1000) * 2 ** 32), at + 4)
}
