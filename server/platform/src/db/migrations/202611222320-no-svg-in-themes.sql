-- SVG files that were embedded in themes before pictures of brands were our own (docs/decisions/0038). Nothing here can turn
-- them into a PNG: the company name is shown until the reseller sends a PNG or JPEG file.
update resellers set theme = theme || '{"logo": null}' where theme ->> 'logo' like 'data:image/svg+xml%';
update resellers set theme = theme || '{"favicon": null}' where theme ->> 'favicon' like 'data:image/svg+xml%';
update resellers set theme = theme - 'logoDark' where theme ->> 'logoDark' like 'data:image/svg+xml%';
