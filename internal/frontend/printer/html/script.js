(() => {
  const filter = document.getElementById("filter");
  const chips = [...document.querySelectorAll(".chip.rule")];
  const findings = [...document.querySelectorAll(".finding")];
  const packages = [...document.querySelectorAll(".package")];
  const texts = new Map(findings.map(f => [f, (f.querySelector("h3").textContent + " " + f.querySelector(".meta").textContent).toLowerCase()]));
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rules = new Set(chips.filter(c => c.getAttribute("aria-pressed") === "true").map(c => c.dataset.rule));
    for (const f of findings)
      f.hidden = rules.size > 0 && !rules.has(f.dataset.rule) || !words.every(w => texts.get(f).includes(w));
    for (const p of packages) {
      const own = p.querySelectorAll(".finding");
      p.hidden = own.length > 0 && [...own].every(f => f.hidden);
    }
  };
  filter.addEventListener("input", apply);
  for (const c of chips)
    c.addEventListener("click", () => {
      c.setAttribute("aria-pressed", String(c.getAttribute("aria-pressed") !== "true"));
      apply();
    });
})();
