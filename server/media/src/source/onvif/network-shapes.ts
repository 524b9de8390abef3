import * as z from 'zod/mini'
import { element, list, number, optionalElement, text, words } from './shapes.ts'

const MAX_INTERFACES = 16
const MAX_SERVERS = 8

const prefixed = z.object({ Address: text, PrefixLength: number })

/** GetNetworkInterfaces (ONVIF Core §8.2.5). */
export const interfacesShape = z.object({
  NetworkInterfaces: list(
    z.object({
      '@token': text,
      Enabled: text,
      IPv4: optionalElement(
        z.object({
          Config: optionalElement(
            z.object({
              Manual: list(prefixed, MAX_SERVERS),
              FromDHCP: optionalElement(prefixed),
              LinkLocal: optionalElement(prefixed),
              DHCP: text,
            }),
          ),
        }),
      ),
    }),
    MAX_INTERFACES,
  ),
})
export type NetworkInterface = z.infer<typeof interfacesShape>['NetworkInterfaces'][number]

export const setInterfacesShape = z.object({ RebootNeeded: text })

export const gatewayShape = z.object({ NetworkGateway: element(z.object({ IPv4Address: words(MAX_SERVERS) })) })

const host = z.object({ Type: text, IPv4Address: text, IPv6Address: text, DNSname: text })
type HostShape = z.infer<typeof host>

export const dnsShape = z.object({
  DNSInformation: element(
    z.object({ FromDHCP: text, DNSFromDHCP: list(host, MAX_SERVERS), DNSManual: list(host, MAX_SERVERS) }),
  ),
})

export const ntpShape = z.object({
  NTPInformation: element(
    z.object({ FromDHCP: text, NTPFromDHCP: list(host, MAX_SERVERS), NTPManual: list(host, MAX_SERVERS) }),
  ),
})

export const protocolsShape = z.object({
  NetworkProtocols: list(z.object({ Name: text, Enabled: text, Port: words(MAX_SERVERS) }), MAX_INTERFACES),
})

export const clockTypeShape = z.object({
  SystemDateAndTime: element(
    z.object({ DateTimeType: text, DaylightSavings: text, TimeZone: optionalElement(z.object({ TZ: text })) }),
  ),
})
export type ClockTypeShape = z.infer<typeof clockTypeShape>['SystemDateAndTime']

export const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1'

/** The servers of a list; cameras fill places that they don't use with 0.0.0.0. */
export const toServers = (hosts: readonly HostShape[]): string[] =>
  hosts
    .map(({ IPv4Address, IPv6Address, DNSname }) => IPv4Address || DNSname || IPv6Address || '')
    .map((name) => name.trim().slice(0, 253))
    .filter((name) => name !== '' && name !== '0.0.0.0' && name !== '::')
