-- Where a camera answers ONVIF, so that its events are followed (docs/decisions/0086). Null: it has none, or it was never asked.
alter table cameras
  add column onvif_port integer check (onvif_port between 1 and 65535),
  -- Over TLS, and the SHA-256 of the certificate (DER) that was seen when the camera was added.
  add column onvif_secure boolean not null default false,
  add column onvif_certificate_sha256 bytea check (octet_length(onvif_certificate_sha256) = 32);
grant update (onvif_port, onvif_secure, onvif_certificate_sha256) on cameras to sightline_media;
