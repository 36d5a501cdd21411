"use strict";
(() => {
  const buttons = [...document.querySelectorAll(".filters button")];
  const findings = [...document.querySelectorAll(".finding")];
  const files = [...document.querySelectorAll(".file")];
  const count = document.getElementById("count");

  function filter(fate) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.fate === fate));
    let shown = 0;
    for (const finding of findings) {
      finding.hidden = fate !== "" && finding.dataset.fate !== fate;
      shown += finding.hidden ? 0 : 1;
    }
    for (const file of files) file.hidden = fate !== "" && !file.dataset.fates.split(" ").includes(fate);
    count.textContent = shown === findings.length ? `${shown} findings` : `${shown} of ${findings.length} findings`;
  }

  function reveal() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) filter("");
    for (let above = target; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
    target.scrollIntoView({ block: "center" });
  }

  for (const button of buttons) button.addEventListener("click", () => filter(button.dataset.fate));
  window.addEventListener("hashchange", reveal);
  // Paper cannot be unfolded.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  window.addEventListener("afterprint", () => { for (const each of folded) each.open = false; });
  reveal();
})();
